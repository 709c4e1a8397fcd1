/* Runs a fuzz target over files and directories: the same targets are regression tests with any compiler. */
#include "base/cleanup.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int run_file(const char *path) {
    AUTO(file) FILE *f = fopen(path, "rb");
    if (!f) return 0;
    struct stat st;
    if (fstat(fileno(f), &st) < 0 || !S_ISREG(st.st_mode)) return 0;
    AUTO(free) uint8_t *data = malloc((size_t)st.st_size + 1);
    if (!data || fread(data, 1, (size_t)st.st_size, f) != (size_t)st.st_size) return 0;
    (void)LLVMFuzzerTestOneInput(data, (size_t)st.st_size);
    return 1;
}

static int run_path(const char *path) {
    DIR *dir = opendir(path);
    if (!dir) return run_file(path);
    int runs = 0;
    for (struct dirent *e; (e = readdir(dir));) {
        if (e->d_name[0] == '.') continue;
        char child[4096];
        (void)snprintf(child, sizeof child, "%s/%s", path, e->d_name);
        runs += run_file(child);
    }
    (void)closedir(dir);
    return runs;
}

int main(int argc, char **argv) {
    int runs = 0;
    for (int i = 1; i < argc; i++)
        runs += run_path(argv[i]);
    (void)printf("1..1\n%s 1 - %d inputs\n", runs ? "ok" : "not ok", runs);
    return runs ? 0 : 1;
}

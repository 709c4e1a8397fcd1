/* What starting a process costs at least: the floor for spawn_bench. */
int main(void) {
    return 0;
}

#include "cli/demo_script.h"

#include "base/compiler.h"

const struct demo_cast demo_casts[] = {
    {"harbor-api",
     "claude",
     "claude-opus-4-6",
     "iTerm.app",
     DEMO_NOBODY,
     NULL,
     NULL,
     {"please fix the flaky login test", "Add rate limits to /v1/tokens", "Why is p99 up since Tuesday?"}},
    {"lantern-web",
     "claude",
     "claude-sonnet-4-6",
     "vscode",
     DEMO_NOBODY,
     NULL,
     NULL,
     {"Make the settings page work on a phone", "Replace the date library with Temporal",
      "can you tidy the button styles"}},
    {"granary",
     "claude",
     "claude-opus-4-6",
     "ghostty",
     DEMO_NOBODY,
     NULL,
     NULL,
     {"Speed up the nightly import", "Write a migration that splits the address column",
      "Explain the locking in store.c"}},
    {"granary",
     "claude",
     "claude-sonnet-4-6",
     "ghostty",
     2,
     "profiler",
     "#2f9e6e",
     {"Profile the import with last night's data", "Measure it again with the new index",
      "Compare both profiles"}},
    {"granary",
     "claude",
     "claude-haiku-4-5",
     "ghostty",
     2,
     "reviewer",
     "#8a63d2",
     {"Review the import's locking", "Check the new index for races", "Read the migration once more"}},
    {"paddock-infra",
     "codex",
     "gpt-5.2-codex",
     "WezTerm",
     DEMO_NOBODY,
     NULL,
     NULL,
     {"Move the cluster to the new node pool", "help me find who still uses the old bucket",
      "Rotate the staging certificates"}},
    {"bellwether",
     "gemini",
     "gemini-3-pro",
     "tmux",
     DEMO_NOBODY,
     NULL,
     NULL,
     {"Translate the help texts to German", "Summarise the open issues",
      "Add a --json flag to every command"}},
    {"tack-room",
     "claude",
     "claude-sonnet-4-6",
     "Apple_Terminal",
     DEMO_NOBODY,
     NULL,
     NULL,
     {"Port the parser to the new grammar", "i need to get coverage above 90 percent",
      "Remove the dead feature flags"}},
};

const struct demo_tool demo_tools[] = {
    {"Bash",
     true,
     6000,
     {"{\"command\":\"make test\",\"description\":\"Run the tests\"}",
      "{\"command\":\"docker compose -f deploy/compose.yml run --rm -e DATABASE_URL=postgres://localhost/test "
      "api sh -c 'npm ci && npm run migrate && npm test -- --coverage' && git push origin "
      "HEAD:refs/heads/release && rm -rf /var/tmp/build-cache\",\"description\":\"Test and publish\"}",
      "{\"command\":\"npm run build\",\"description\":\"Build the page\"}"}},
    {"Read",
     false,
     1500,
     {"{\"file_path\":\"src/store.c\"}", "{\"file_path\":\"README.md\"}",
      "{\"file_path\":\"package.json\"}"}},
    {"Edit",
     true,
     2500,
     {"{\"file_path\":\"src/scheduler.ts\",\"old_string\":\"const due = queue.peek();\\nif (due.at < now) "
      "fire(due);\",\"new_string\":\"while (queue.peek()?.at <= now) {\\n    fire(queue.pop());\\n}\"}",
      "{\"file_path\":\"src/login_test.go\",\"old_string\":\"time.Sleep(2 * "
      "time.Second)\",\"new_string\":\"<-server.Ready()\"}",
      "{\"file_path\":\"docs/api.md\",\"old_string\":\"60 requests\",\"new_string\":\"100 requests\"}"}},
    {"Grep",
     false,
     2000,
     {"{\"pattern\":\"rateLimit\"}", "{\"pattern\":\"deprecated\"}", "{\"pattern\":\"login\"}"}},
    {"WebFetch",
     true,
     8000,
     {"{\"url\":\"https://example.org/changelog\"}", "{\"url\":\"https://example.org/docs\"}",
      "{\"url\":\"https://example.org/rfc\"}"}},
    {"Task",
     false,
     7000,
     {"{\"description\":\"Review the diff\"}", "{\"description\":\"Find every caller\"}",
      "{\"description\":\"Check the licences\"}"}},
};

const struct demo_tool demo_questions[] = {
    {"AskUserQuestion",
     true,
     0,
     {"{\"questions\":[{\"question\":\"Which database should the tests "
      "use?\",\"header\":\"Tests\",\"multiSelect\":false,\"options\":[{\"label\":\"SQLite\",\"description\":"
      "\"fast, in memory, but its types differ\"},{\"label\":\"Postgres\",\"description\":\"the same as in "
      "production, needs a container\"}]}]}",
      "{\"questions\":[{\"question\":\"Which browsers have to "
      "work?\",\"header\":\"Browsers\",\"multiSelect\":true,\"options\":[{\"label\":\"Firefox\"},{\"label\":"
      "\"Safari\",\"description\":\"from 17 on\"},{\"label\":\"Chrome\"}]}]}",
      "{\"questions\":[{\"question\":\"Keep the old endpoint for a "
      "while?\",\"header\":\"API\",\"multiSelect\":false,\"options\":[{\"label\":\"Yes\",\"description\":\"until "
      "the next release\"},{\"label\":\"No\"}]}]}"}},
    {"ExitPlanMode",
     true,
     0,
     {"{\"plan\":\"# Jobs survive a restart\\n\\nThe queue in memory **loses jobs**.\\n\\n1. Add a table "
      "`jobs` with an index on `run_at`\\n2. Replace `Queue.push()` by an insert\\n3. Workers take jobs with "
      "`FOR UPDATE SKIP LOCKED`\\n\\n> Nothing is deleted in this step.\"}",
      "{\"plan\":\"# Split the address column\\n\\n- New columns `street`, `zip`, `city`\\n- Backfill in "
      "batches of 1,000\\n- [ ] Drop the old column a week later\"}",
      "{\"plan\":\"# Settings on a phone\\n\\n1. One column below 640 px\\n2. Labels above their fields\\n3. "
      "Buttons of 44 px\"}"}},
};

const char *const demo_words[] = {
    "Done. All tests pass; the change is ready for review.",
    "The flaky test waited for a **fixed time**. It waits for the `ready` event now:\n\n- 200 runs, none "
    "failed\n- 3 s faster\n\nShall I look for others like it?",
    "p99 is up because the cache is cold after each deploy. Two ways out:\n\n1. Warm it before traffic is "
    "switched\n2. Keep the old one for a minute\n\nI would take the first.",
};

const size_t demo_cast_count = ARRAY_LEN(demo_casts);
const size_t demo_tool_count = ARRAY_LEN(demo_tools);
const size_t demo_question_count = ARRAY_LEN(demo_questions);
const size_t demo_words_count = ARRAY_LEN(demo_words);

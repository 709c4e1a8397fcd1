// What a test opened is closed in the opposite order: node:test runs its own after hooks in the order they came.
const stacks = new WeakMap();

/** Calls `release` after the test, before whatever was registered earlier. Every one runs; the first failure counts. */
export function cleanup(t, release) {
  if (!t) return;
  if (!stacks.has(t)) {
    stacks.set(t, []);
    t.after(() => unwind(stacks.get(t)));
  }
  stacks.get(t).push(release);
}

async function unwind(stack) {
  const failures = [];
  while (stack.length) {
    try {
      await stack.pop()();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length) throw failures[0];
}

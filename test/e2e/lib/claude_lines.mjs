// The lines of Claude Code's transcripts as it writes them, with everything random drawn from a Random.
const WORDS = ['the', 'fence', 'gate', 'mend', 'tests', 'pass', 'src/main.c', 'naïve', '馬', '🐎', 'e\u0301', '\u2028', '\u00a0', '"uuid":"no"',
  '{"parentUuid":"no"}', '\\', '\n', '\t', '\u001b[31m', '\u0000', '/', '\ud800', '\udc00', '\u007f', '},{', ']'];

export function words(random, most = 12) {
  return Array.from({ length: random.below(most + 1) }, () => random.pick(WORDS)).join(' ');
}

/** The members that user, assistant, system, progress and attachment share, in Claude Code's order. */
export function envelope(random, type, { id, parent, cwd = '/home/dev/alpha' }) {
  return {
    parentUuid: parent,
    isSidechain: random.chance(0.1),
    userType: 'external',
    cwd,
    sessionId: '0f8fad5b-d9cb-469f-a165-70867728950e',
    version: '2.1.23',
    gitBranch: 'main',
    type,
    uuid: id,
    timestamp: new Date(1_760_000_000_000 + random.below(1e9)).toISOString(),
  };
}

const usage = random => ({
  input_tokens: random.below(100), cache_creation_input_tokens: random.below(1e5), cache_read_input_tokens: random.below(1e6),
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: random.below(1e5) },
  output_tokens: random.below(1000), service_tier: 'standard',
});

const MESSAGES = {
  user: r => ({ message: { role: 'user', content: words(r) }, ...(r.chance(0.2) && { isMeta: true }), thinkingMetadata: { level: 'high', triggers: [] } }),
  toolResult: r => ({
    message: { role: 'user', content: [{ tool_use_id: `toolu_${r.hex(8)}`, type: 'tool_result', content: words(r, 30), is_error: r.chance(0.1) }] },
    toolUseResult: r.chance(0.5) ? words(r) : { stdout: words(r, 30), stderr: '', interrupted: false, uuid: r.hex(4) },
  }),
  assistant: r => ({
    message: {
      model: 'claude-opus-4-6', id: `msg_${r.hex(8)}`, type: 'message', role: 'assistant',
      content: [r.pick([
        { type: 'text', text: words(r, 30) },
        { type: 'thinking', thinking: words(r, 30), signature: r.hex(40) },
        { type: 'tool_use', id: `toolu_${r.hex(8)}`, name: 'Bash', input: { command: words(r), parentUuid: 'in here' } },
      ])],
      stop_reason: null, usage: usage(r),
    },
    requestId: `req_${r.hex(8)}`,
  }),
  system: r => ({ subtype: r.pick(['init', 'turn_duration', 'local_command', 'away_summary']), content: words(r), level: 'info', durationMs: r.below(1e6), isMeta: false }),
  boundary: r => ({ subtype: 'compact_boundary', content: 'Conversation compacted', logicalParentUuid: r.uuid(), compactMetadata: { trigger: 'auto', preTokens: 155_000 } }),
  progress: r => ({
    data: r.chance(0.5) ? { type: 'hook_progress', hookEvent: r.pick(['Stop', 'PreToolUse']), hookName: 'Stop', command: 'lint.sh' }
      : { type: 'bash_progress', output: words(r), elapsedTimeSeconds: 3.25 },
    toolUseID: `toolu_${r.hex(2)}`, parentToolUseID: `toolu_${r.hex(2)}`,
  }),
  attachment: r => ({ attachment: { type: 'todo', content: [], itemCount: r.below(9) } }),
  saved_hook_context: r => ({ content: [words(r)], hookName: 'SessionStart', hookEvent: 'SessionStart', toolUseID: 'SessionStart' }),
};
const TYPE = { toolResult: 'user', boundary: 'system' }; // where the kind is not the type's own name

/** One line with an id, as an object. */
export function message(random, ids, kind = random.weighted([[4, 'user'], [4, 'toolResult'], [6, 'assistant'], [2, 'system'], [2, 'progress'],
  [1, 'attachment'], [1, 'saved_hook_context'], [0.3, 'boundary']])) {
  const { isSidechain, ...rest } = envelope(random, TYPE[kind] ?? kind, ids);
  return { parentUuid: rest.parentUuid, isSidechain, ...rest, ...MESSAGES[kind](random) };
}

/** One line without an id. */
export function metadata(random) {
  const timestamp = '2026-10-09T08:00:00.000Z', sessionId = '0f8fad5b-d9cb-469f-a165-70867728950e', id = random.uuid();
  return random.pick([
    { type: 'summary', summary: words(random), leafUuid: id },
    { type: 'file-history-snapshot', messageId: id, snapshot: { messageId: id, trackedFileBackups: { 'a.c': { version: 1 } }, timestamp }, isSnapshotUpdate: false },
    { type: 'queue-operation', operation: random.pick(['enqueue', 'dequeue', 'remove']), timestamp, sessionId, content: words(random) },
    { type: 'custom-title', customTitle: words(random), sessionId },
    { type: 'last-prompt', lastPrompt: words(random), leafUuid: id, sessionId },
    { type: 'permission-mode', permissionMode: 'acceptEdits', sessionId },
    { type: 'pr-link', prNumber: 12, prUrl: 'https://github.com/o/r/pull/12', sessionId },
    { type: 'system', subtype: 'init', content: 'old ones have no uuid', parentUuid: id },
    { type: 'user', uuid: random.pick([null, '', 0, false]), parentUuid: id },
    [{ uuid: id, parentUuid: id }], id, 17, null, true, {}, [],
  ]);
}

/** The end of a turn with a Stop hook: assistant, progress, summary, and perhaps the turn's duration. */
export function stopHookTail(random, { ids, parent, toolUse = `toolu_${random.hex(6)}` }) {
  const [a, p, s, d] = ids;
  const lines = [
    message(random, { id: a, parent }, 'assistant'),
    {
      ...envelope(random, 'progress', { id: p, parent: a }),
      data: { type: 'hook_progress', hookEvent: 'Stop', hookName: 'Stop', command: 'lint.sh' }, toolUseID: toolUse, parentToolUseID: toolUse,
    },
    {
      ...envelope(random, 'system', { id: s, parent: p }), subtype: 'stop_hook_summary', hookCount: 1, hookInfos: [{ command: 'lint.sh' }], hookErrors: [],
      preventedContinuation: false, stopReason: '', hasOutput: true, level: 'suggestion', toolUseID: toolUse,
    },
  ];
  if (d !== undefined) lines.push({ ...envelope(random, 'system', { id: d, parent: s }), subtype: 'turn_duration', durationMs: 4711, isMeta: false });
  return lines;
}

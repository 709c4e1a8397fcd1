// Agents that work together, through the real hook and Claude Code's own files.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { Board } from './lib/board.mjs';
import { makeHome, startDaemon } from './lib/daemon.mjs';
import { runHook } from './lib/hook.mjs';
import { Agent } from './lib/payloads.mjs';

function configure(home, team, config) {
  const dir = path.join(home, '.claude', 'teams', team);
  fs.mkdirSync(dir, { recursive: true });
  fs.writeFileSync(path.join(dir, 'config.json'), typeof config === 'string' ? config : JSON.stringify(config));
}

const member = (parent, name, team) => ({
  CLAUDE_CODE_PARENT_SESSION_ID: parent.id, CLAUDE_CODE_AGENT_NAME: name, CLAUDE_CODE_AGENT_TYPE: 'engineer',
  ...(team && { CLAUDE_CODE_TEAM_NAME: team }),
});

test('a team: told, configured, there after kill -9', async t => {
  const home = makeHome(t);
  configure(home, 'crew', { members: { backend: { tmuxPaneId: '%3', backendType: 'node', color: '#00ff88' } } });
  const daemon = await startDaemon(t, { home });
  const lead = new Agent({ cwd: '/srv/app' }), kid = new Agent({ cwd: '/srv/elsewhere' });
  const boards = [await Board.connect(t, daemon), await Board.connect(t, daemon, { v1: true })];
  await runHook(home, lead.start());
  await runHook(home, kid.start(), { env: member(lead, 'backend', 'crew') });
  const teamId = `team-${lead.id}`;
  for (const board of boards) {
    const { team } = await board.waitFor(m => m.type === 'team_update' && m.team.childSessionIds.length === 1);
    assert.deepEqual([team.teamId, team.parentSessionId, team.childSessionIds, team.teamName],
      [teamId, lead.id, [kid.id], 'crew']);
    await board.session(lead.id, s => s.teamId === teamId && s.teamRole === 'leader');
    await board.session(kid.id, s => s.teamRole === 'member' && s.agentName === 'backend' && s.agentColor === '#00ff88');
  }
  const whole = await boards[0].session(kid.id, s => s.tmuxPaneId === '%3' && s.backendType === 'node');
  assert.equal(whole.agentType, 'engineer');
  const config = await daemon.get(`/api/teams/${teamId}/config`);
  assert.deepEqual(config, { teamName: 'crew', config: JSON.parse(fs.readFileSync(path.join(home, '.claude/teams/crew/config.json'))) });

  const before = await daemon.get('/api/sessions');
  await boards[0].waitFor(m => m.type === 'hook_stats'); // whatever was applied is committed by the next answer
  assert.equal((await daemon.fetch(`/api/sessions/${kid.id}/label`, { method: 'PUT', body: '{"label":""}' })).status, 200);
  await daemon.crash();
  await daemon.start();
  assert.deepEqual(await daemon.get('/api/sessions'), before);
  const again = await Board.connect(t, daemon);
  assert.deepEqual(Object.values(again.messages[0].teams).map(team => [team.teamId, team.childSessionIds]), [[teamId, [kid.id]]]);
  assert.deepEqual(again.find(kid.id).teamId, teamId);
  await runHook(home, kid.end(), { env: member(lead, 'backend', 'crew') });
  await again.waitFor(m => m.type === 'team_update' && m.team.childSessionIds.length === 0);
});

test('configurations that lie, or lead elsewhere', async t => {
  const home = makeHome(t);
  fs.mkdirSync(path.join(home, '.claude', 'teams'), { recursive: true });
  fs.writeFileSync(path.join(home, '.claude', 'config.json'), '{"secret":1}');
  configure(home, 'broken', '{"members":');
  configure(home, 'list', { members: [{ name: 'other', color: 'red' }, { name: 'x', tmuxPaneId: '%7', color: 'blue' }] });
  configure(home, 'etcpasswd', { here: true });
  const daemon = await startDaemon(t, { home });
  const board = await Board.connect(t, daemon);
  const config = async (team, name = 'x') => {
    const lead = new Agent({ cwd: '/srv/app' }), kid = new Agent({ cwd: '/srv/app' });
    await runHook(home, lead.start());
    await runHook(home, kid.start(), { env: member(lead, name, team) });
    await board.session(kid.id, s => s.teamId);
    return [await daemon.get(`/api/teams/team-${lead.id}/config`), kid.id];
  };
  assert.deepEqual((await config('..'))[0], { teamName: '..', config: null });
  assert.deepEqual((await config('../teams'))[0].config, null);
  assert.deepEqual((await config('etc/passwd'))[0].config, { here: true }, 'the name is made harmless first');
  assert.deepEqual((await config('broken'))[0].config, null);
  const [, kid] = await config('list');
  assert.equal((await board.session(kid, s => s.tmuxPaneId)).agentColor, 'blue');
  const answer = await daemon.fetch('/api/teams/nobody/config');
  assert.deepEqual([answer.status, await answer.json()], [404, { error: 'Team not found' }]);
});

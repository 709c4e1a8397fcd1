import { replayAll } from '../replay_suite.mjs';

replayAll('claude-auto');

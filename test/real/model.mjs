// A model that says what the test scripted, for the real CLIs: one server on 127.0.0.1 for the four APIs they speak.
import http from 'node:http';
import { once } from 'node:events';
import { cleanup } from '../e2e/lib/cleanup.mjs';
import { messages } from './model/anthropic.mjs';
import { generate } from './model/gemini.mjs';
import { json } from './model/http.mjs';
import { chat } from './model/openai_chat.mjs';
import { responses } from './model/openai_responses.mjs';
import { Scripts } from './model/script.mjs';

const ROUTES = [
  [/\/v1\/messages\/count_tokens$/, (model, body, response) => json(response, 200, { input_tokens: 100 })],
  [/\/v1\/messages$/, messages],
  [/\/responses$/, responses],
  [/\/chat\/completions$/, chat],
  [/:countTokens$/, (model, body, response) => json(response, 200, { totalTokens: 100 })],
  [/:generateContent$/, (model, body, response) => generate(model, body, response, { stream: false })],
  [/:streamGenerateContent$/, (model, body, response) => generate(model, body, response, { stream: true })],
  [/\/models\b/, (model, body, response) => json(response, 200, { object: 'list', data: [], models: [] })],
];

export class Model {
  scripts = new Scripts();
  /** Every request that came: { at, path, body }. */
  requests = [];

  /** `home`: of the person whose agents ask, where that matters. */
  static async start(t, { home } = {}) {
    const model = Object.assign(new Model(), { home });
    model.server = http.createServer((request, response) => model.#serve(request, response)).listen(0, '127.0.0.1');
    await once(model.server, 'listening');
    model.port = model.server.address().port;
    cleanup(t, () => {
      model.scripts.releaseAll();
      model.server.closeAllConnections();
      model.server.close();
    });
    return model;
  }

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  async #serve(request, response) {
    const parts = [];
    response.on('error', () => {});
    try {
      for await (const part of request) parts.push(part);
      const text = Buffer.concat(parts).toString(), path = request.url.split('?')[0];
      const body = text ? JSON.parse(text) : {};
      this.requests.push({ at: Date.now(), path, body });
      const [, handle] = ROUTES.find(([pattern]) => pattern.test(path)) ?? [];
      if (handle) await handle(this, body, response);
      else json(response, 404, { error: { type: 'not_found_error', message: 'The scripted model has nothing there.' } });
    } catch (error) {
      if (!response.headersSent) json(response, 500, { error: { type: 'api_error', message: String(error.stack) } });
    }
  }
}

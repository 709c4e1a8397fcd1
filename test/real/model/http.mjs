// How answers are written.

export function json(response, status, value, headers = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}

/** An error of the model, with a type by its status as OpenAI has them. Who is told to come back later may do so soon. */
export function openaiError(response, status) {
  const type = { 400: 'invalid_request_error', 429: 'rate_limit_exceeded' }[status] ?? 'server_error';
  json(response, status, { error: { message: 'The script says so.', type, code: null } }, status === 429 ? { 'retry-after': '1' } : {});
}

/** Begins a stream; answers the function that sends one event. `named`: with its type in a line of its own. */
export function serverSentEvents(response, { named = false } = {}) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  return event => response.write(`${named ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`);
}

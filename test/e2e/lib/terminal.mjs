// A terminal as the page shows it.
import assert from 'node:assert/strict';

/** What is said when a test looks at what the graphics card has drawn, or when there is only a slow imitation of one. */
export const GPU_TALK = /GPU stall due to ReadPixels|task queue exceeded allotted deadline/;

/** Has the terminal drawn as text, which a test can read. Before page.goto(). */
export async function drawAsText(page) {
  await page.addInitScript(() => {
    const getContext = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return kind === 'webgl2' ? null : getContext.call(this, kind, ...rest);
    };
  });
}

/** The rows of the screen, without the blanks at their ends. */
export async function screenRows(page) {
  return page.evaluate(() => [...document.querySelectorAll('.xterm-rows:not(.terminal-still) > div')].map(row => row.textContent.replaceAll('\u00a0', ' ').trimEnd()));
}

export async function screenText(page) {
  return (await screenRows(page)).join('\n').trimEnd();
}

/** Waits until the screen shows what the pattern says. */
export async function untilScreen(page, pattern, timeout = 30_000) {
  try {
    await page.waitForFunction(source => {
      const rows = [...document.querySelectorAll('.xterm-rows:not(.terminal-still) > div')].map(row => row.textContent.replaceAll('\u00a0', ' ').trimEnd());
      return new RegExp(source, 'm').test(rows.join('\n'));
    }, pattern.source, { timeout, polling: 'raf' });
  } catch {
    assert.match(await screenText(page), pattern);
  }
}

export async function untilState(page, state) {
  await page.locator(`.terminal-pane[data-state="${state}"]`).waitFor();
}

/** Gives the keyboard to the terminal. */
export async function enterTerminal(page) {
  await page.locator('.terminal-screen').click();
  await page.waitForFunction(() => document.activeElement?.matches('.terminal-screen textarea'));
}

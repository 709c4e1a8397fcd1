// The inbox as a test looks at it.

export const DESK = { viewport: { width: 1280, height: 800 } };
export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** Until something has been on the screen for a moment, it is not answered. */
const SETTLE_MS = 600;

export const item = (page, text) => page.locator('.inbox-item', { hasText: text });

/** By how its name begins. */
export const button = (at, name) => at.getByRole('button', { name: new RegExp(`^${name}`) });

/** A moment of the page's own clock: what it waits for before it takes an answer is that time. */
export const moment = page => page.evaluate(ms => new Promise(resolve => { setTimeout(resolve, ms); }), SETTLE_MS);

/** It is there, and has been seen for long enough. */
export async function settled(page, text) {
  await item(page, text).first().waitFor();
  await moment(page);
}

/* A short sound for each kind of news, made here: two or three tones, soft, below half a second. */

import type { AttentionKind } from "../core/attention";

/** Frequencies in Hz, one after the other. */
const TONES: Record<AttentionKind, readonly number[]> = {
    approval: [660, 880],
    question: [660, 880, 660],
    plan: [523, 659, 784],
    error: [330, 247],
    finished: [784, 1047],
    exited: [440, 330],
};

const TONE_S = 0.12;
const LOUDNESS = 0.08;

let context: AudioContext | null = null;

/** Browsers let a page make sounds only after somebody has touched it; until then this does nothing. */
export function play(kind: AttentionKind): void {
    try {
        context ??= new AudioContext();
        if (context.state === "suspended") void context.resume();
        TONES[kind].forEach((frequency, i) => tone(context!, frequency, context!.currentTime + i * TONE_S));
    } catch {
        // a browser without sound
    }
}

function tone(audio: AudioContext, frequency: number, at: number): void {
    const oscillator = audio.createOscillator();
    const gain = audio.createGain();
    oscillator.frequency.value = frequency;
    gain.gain.setValueAtTime(0, at);
    gain.gain.linearRampToValueAtTime(LOUDNESS, at + 0.01);
    gain.gain.exponentialRampToValueAtTime(0.001, at + TONE_S);
    oscillator.connect(gain).connect(audio.destination);
    oscillator.start(at);
    oscillator.stop(at + TONE_S);
}

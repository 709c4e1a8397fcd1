/* Choices that this browser keeps. Storage may be forbidden; then a choice lasts as long as the page. */

export function recall<T extends string>(key: string, allowed: readonly T[]): T | null {
    const value = recallText(key) as T | null;
    return value !== null && allowed.includes(value) ? value : null;
}

export function recallText(key: string): string | null {
    try {
        return localStorage.getItem(key);
    } catch {
        return null;
    }
}

export function remember(key: string, choice: string | null): void {
    try {
        if (choice !== null) localStorage.setItem(key, choice);
        else localStorage.removeItem(key);
    } catch {
        // as above
    }
}

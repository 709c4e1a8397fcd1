/* Choices that this browser keeps. Storage may be forbidden; then a choice lasts as long as the page. */

export function recall<T extends string>(key: string, allowed: readonly T[]): T | null {
    try {
        const value = localStorage.getItem(key) as T | null;
        return value !== null && allowed.includes(value) ? value : null;
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

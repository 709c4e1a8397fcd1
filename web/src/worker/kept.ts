/* What the page leaves for its service worker, which cannot read localStorage: IndexedDB of this origin. */

const DATABASE = "ostler";
const STORE = "worker";

/** key: the page's half of its login. wishes: what to say again when the browser changes its subscription. */
export type KeptName = "key" | "wishes";

function open(): Promise<IDBDatabase> {
    return new Promise((resolve, reject) => {
        const request = indexedDB.open(DATABASE, 1);
        request.onupgradeneeded = () => request.result.createObjectStore(STORE);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
        request.onblocked = () => reject(new Error("blocked"));
    });
}

async function use<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    const database = await open();
    try {
        return await new Promise<T>((resolve, reject) => {
            const request = work(database.transaction(STORE, mode).objectStore(STORE));
            request.onsuccess = () => resolve(request.result);
            request.onerror = () => reject(request.error);
        });
    } finally {
        database.close();
    }
}

export async function keep(name: KeptName, value: unknown): Promise<void> {
    await use("readwrite", (store) => (value === null ? store.delete(name) : store.put(value, name)) as IDBRequest<unknown>);
}

export const kept = (name: KeptName): Promise<unknown> => use<unknown>("readonly", (store) => store.get(name));

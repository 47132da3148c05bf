import { PICTURE_SIZE } from './pictures.ts'

/** Larger than any video that is sent needs it to be. */
const { width: WIDTH_MAX, height: HEIGHT_MAX } = PICTURE_SIZE
const STORE = 'pictures'
const KEY = 'own'

/** Where storage is blocked, as in some frames, the picture lasts as long as the page. */
let memory: Blob | null = null

/** The user's own picture, which this browser keeps and nobody else gets; null: there is none. */
export async function loadOwnPicture(): Promise<ImageBitmap | null> {
  const stored = await transact('readonly', store => store.get(KEY)).catch(() => null)
  const picture = stored instanceof Blob ? stored : memory
  return picture && createImageBitmap(picture).catch(() => null)
}

/** Makes it as small as videos are. Rejects where the file is no picture. */
export async function saveOwnPicture(file: Blob): Promise<void> {
  const bitmap = await createImageBitmap(file)
  const scale = Math.min(1, Math.max(WIDTH_MAX / bitmap.width, HEIGHT_MAX / bitmap.height))
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(bitmap.width * scale)),
    Math.max(1, Math.round(bitmap.height * scale)),
  )
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  // JPEG has no transparency, through which the room would be visible, and no place where it was taken.
  const picture = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 })
  memory = picture
  await transact('readwrite', store => store.put(picture, KEY)).catch(() => {})
}

export async function removeOwnPicture(): Promise<void> {
  memory = null
  await transact('readwrite', store => store.delete(KEY)).catch(() => {})
}

/** Resolves with the result once the transaction is complete. */
async function transact<T>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const opening = indexedDB.open('lectern-background', 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE)
  const database = await resultOf(opening)
  try {
    return await resultOf(act(database.transaction(STORE, mode).objectStore(STORE)))
  } finally {
    database.close() // after the transaction
  }
}

const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

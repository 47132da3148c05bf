import type { DocumentView, PageWidth, TextLine } from '@lectern/protocol'

/** How a page gets the files of a conference (docs/slides.md). */
export interface FileAccess {
  /** The tag of the conference; null: files belong to the conversation. */
  conference: string | null
  /** The conversation, outside of a conference. */
  chatId?: string
  /** `refused`: the previous token was rejected. Null: there is none. */
  accessToken: (refused?: string) => Promise<string | null>
  /** Empty in a page of the server. */
  serverUrl: string
}

const API = '/api/v1.0'

/** Null: it cannot be reached now. */
async function send(access: FileAccess, path: string, method = 'GET'): Promise<Response | null> {
  const attempt = async (refused?: string) => {
    const token = await access.accessToken(refused)
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(access.serverUrl + API + path, {
      method,
      headers,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    })
    return { token, answer }
  }
  try {
    const { token, answer } = await attempt()
    return answer.status === 401 && token !== null ? (await attempt(token)).answer : answer
  } catch {
    return null
  }
}

/** Null: it is not there, or cannot be loaded now. */
async function request(...asked: Parameters<typeof send>): Promise<Response | null> {
  const answer = await send(...asked)
  return answer?.ok ? answer : null
}

const json = async <T>(answer: Promise<Response | null>): Promise<T | null> =>
  (await answer)?.json().catch(() => null) ?? null

const ofFile = (id: string) => `/files/${encodeURIComponent(id)}`

/** Whether slides may be office documents; false while the server does not say. */
export const takesOffice = async (access: FileAccess): Promise<boolean> =>
  (await json<{ office_slides_available?: unknown }>(request(access, '/server_info')))
    ?.office_slides_available === true

export const findFile = (access: FileAccess, id: string): Promise<DocumentView | null> =>
  json(request(access, ofFile(id)))

/** Removes a file, by its uploader or a moderator. After a failure it stays. */
export const removeFile = (access: FileAccess, id: string): Promise<unknown> =>
  request(access, ofFile(id), 'DELETE')

const MISSING = [403, 404, 410]

/**
 * The file as it was uploaded, but without what cameras add. `missing`: it was removed, or is not for this person. Null: it
 * cannot be loaded now.
 */
export async function loadContent(access: FileAccess, fileId: string): Promise<Blob | 'missing' | null> {
  const answer = await send(access, `${ofFile(fileId)}/content`)
  if (answer?.ok) return answer.blob().catch(() => null)
  return answer && MISSING.includes(answer.status) ? 'missing' : null
}

/** The picture of a page; images have one page. */
export const loadPicture = async (
  access: FileAccess,
  { fileId, pageNumber, width }: { fileId: string; pageNumber: number; width: PageWidth },
): Promise<Blob | null> =>
  (await request(access, `${ofFile(fileId)}/pages/${pageNumber}/${width}`))?.blob().catch(() => null) ?? null

/** In reading order. */
export const loadPageText = async (access: FileAccess, fileId: string, pageNumber: number) =>
  (await json<{ lines: TextLine[] }>(request(access, `${ofFile(fileId)}/pages/${pageNumber}/text`)))?.lines ??
  null

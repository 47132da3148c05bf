import type { FilePurpose } from '@lectern/protocol'
import type { Answer } from '../../testing/http.ts'
import type { TestServer } from '../../testing/server.ts'
import { sha256 } from './worker.ts'

const PATH = '/api/storage/uploads'
const TUS = { 'tus-resumable': '1.0.0' }

export const metadataOf = (entries: Record<string, string>) =>
  Object.entries(entries)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',')

export interface FileToUpload {
  conference?: string
  chat_id?: string
  purpose: FilePurpose
  name: string
  bytes: Buffer
  /** The announced size, if it is another one. */
  size?: number
}

/** Begins the upload of a participant. */
export const beginUpload = (
  server: TestServer,
  token: string,
  { conference = '', chat_id = '', purpose, name, bytes, size = bytes.length }: FileToUpload,
): Promise<Answer> =>
  server.call('POST', PATH, {
    token,
    headers: {
      ...TUS,
      'upload-length': String(size),
      'upload-metadata': metadataOf({
        ...(chat_id ? { chat_id } : { conference }),
        ...{ purpose, name, sha256: sha256(bytes) },
      }),
    },
  })

export const appendTo = (server: TestServer, token: string, location: string, offset: number, raw: Buffer) =>
  server.call('PATCH', location, {
    token,
    raw,
    headers: {
      ...TUS,
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(offset),
    },
  })

/** Uploads a whole file of a participant; returns its id. */
export async function uploadFile(server: TestServer, token: string, file: FileToUpload): Promise<string> {
  const { status, headers, body } = await beginUpload(server, token, file)
  if (status !== 201) throw new Error(`the upload was refused: ${JSON.stringify(body)}`)
  const location = headers.location as string
  const last = await appendTo(server, token, location, 0, file.bytes)
  if (last.status !== 204) throw new Error(`the file was refused: ${JSON.stringify(last.body)}`)
  return location.slice(PATH.length + 1)
}

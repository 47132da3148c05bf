import type { DocumentView, FilePurpose } from '@lectern/protocol'
import { keepPageUntil } from '../keep-page.ts'
import { type FileAccess, findFile } from './files.ts'

interface UploadOptions {
  access: FileAccess
  purpose: FilePurpose
  file: File
  /** The share that the server has, from 0 to 1. */
  onProgress?: (share: number) => void
  /** Cancels the upload, and removes what has arrived. */
  signal?: AbortSignal
}

/** Why the server does not take a file; each has a text, `upload.refused.…`. */
export const UPLOAD_REFUSALS = [
  'empty',
  'infected',
  'kind',
  'noConverter',
  'notAllowed',
  'notScanned',
  'other',
  'quota',
  'tooFast',
  'tooLarge',
] as const
export type UploadRefusal = (typeof UPLOAD_REFUSALS)[number]

/**
 * Uploads a file in pieces, and returns it as the server has it: slides and images are `converting` then. Broken connections
 * delay it only. Rejects with the reason of the signal, or with an error for `refusalOf`.
 */
export async function upload({
  access,
  purpose,
  file,
  onProgress,
  signal,
}: UploadOptions): Promise<DocumentView> {
  if (file.size === 0) throw new EmptyFile()
  // The code of uploads loads with the first upload.
  const { uploadFile } = await import('@lectern/control-client/upload')
  let token: string | null = null
  const uploading = uploadFile({
    serverUrl: access.serverUrl,
    accessToken: async refused => {
      token = await access.accessToken(refused && token !== null ? token : undefined)
      return token
    },
    ...(access.conference === null ? { chatId: access.chatId ?? '' } : { conference: access.conference }),
    purpose,
    // Pasted images have none.
    name: file.name || purpose,
    bytes: file,
    onProgress: sent => onProgress?.(sent / file.size),
    ...(signal && { signal }),
  })
  const id = await keepPageUntil(uploading)
  const found = await findFile(access, id)
  if (!found) throw new Error('The file is gone.')
  return found
}

class EmptyFile extends Error {}

const BY_CODE: Readonly<Record<string, UploadRefusal>> = {
  file_infected: 'infected',
  file_quota_exceeded: 'quota',
  payload_too_large: 'tooLarge',
  permission_denied: 'notAllowed',
  rate_limited: 'tooFast',
  scan_unavailable: 'notScanned',
  temporarily_unavailable: 'noConverter',
  unsupported_media_type: 'kind',
}

/** Whether the same file may be accepted later, when nobody has changed anything. */
export const mayUploadAgain = (error: unknown): boolean => refusalOf(error) === 'notScanned'

/** Why an upload was refused. */
export function refusalOf(error: unknown): UploadRefusal {
  if (error instanceof EmptyFile) return 'empty'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return BY_CODE[code] ?? 'other'
}

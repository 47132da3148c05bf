import type { ConversionFailure, FilePurpose, PageWidth } from '@lectern/protocol'

export interface NewFile {
  conferenceTag: string
  /** The session in which it is uploaded; 0: none. */
  sessionId: number
  userId: number
  displayName: string
  name: string
  size: number
  purpose: FilePurpose
  createdAtMs: number
}

/** `uploading` and `removing` are not visible to others. */
export type FileState = 'uploading' | 'stored' | 'converting' | 'ready' | 'failed' | 'removing'

/** A file of a conference. Its blob has the same id. */
export interface ConferenceFile extends NewFile {
  id: string
  /** By content; empty until the upload is complete. */
  contentType: string
  state: FileState
  failure: ConversionFailure | null
  pageCount: number | null
}

/** A blob of a page: a picture, by its width, or `text`: its lines. */
export type PagePart = PageWidth | 'text'

export interface DocumentPage {
  pageNumber: number
  /** Pixels of the largest picture. */
  width: number
  height: number
  failure: ConversionFailure | null
}

export interface NewDocumentPage extends DocumentPage {
  blobIds: Partial<Record<PagePart, string>>
}

/** Somebody who is in a live session. */
export interface Insider {
  sessionId: number
  displayName: string
  isModerator: boolean
  /** Whether they may write in the chat. */
  mayWrite: boolean
}

/** Who is in which conference, as files need it. */
export interface FileMembers {
  /** Null: they are not inside. */
  findInside(tag: string, userId: number): Promise<Insider | null>
  /** Whether they were in that session. */
  wasInside(sessionId: number, userId: number): Promise<boolean>
  /** The account that owns the conference; null when it no longer exists. */
  ownerOf(tag: string): Promise<number | null>
}

/** What happened to a document; published on every server. */
export interface DocumentNotice {
  fileId: string
  conferenceTag: string
}

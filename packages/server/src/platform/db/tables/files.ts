/** Files that participants uploaded to conferences. The id is the one of the blob. */
export interface ConferenceFilesTable {
  id: string
  /** Empty: it belongs to a conversation of two people. */
  conference_tag: string
  /** The session in which it was uploaded; 0: none. */
  conference_session_id: number
  user_id: number
  display_name: string
  name: string
  /** By content; empty until the upload is complete. */
  content_type: string
  size: number
  purpose: string
  /** uploading, stored, converting, ready, failed or removing */
  state: string
  failure: string | null
  page_count: number | null
  created_at_ms: number
  /** The chat of a file that was sent in one. */
  chat_id: string | null
  /** The message that has it, by its chat, its sender and this. */
  command_id: string | null
}

/** Pages of converted documents. */
export interface DocumentPagesTable {
  file_id: string
  page_number: number
  width: number
  height: number
  failure: string | null
}

/** The blobs of pages: pictures by their width, and `text`. */
export interface DocumentBlobsTable {
  blob_id: string
  file_id: string
  page_number: number
  part: string
}

export interface FileTables {
  conference_files: ConferenceFilesTable
  document_pages: DocumentPagesTable
  document_blobs: DocumentBlobsTable
}

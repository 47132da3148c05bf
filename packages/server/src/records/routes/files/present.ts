import {
  CONVERSION_FAILURES,
  type ConversionFailure,
  type FileView,
  type RoomSlidesView,
} from '@lectern/protocol'
import type { Document } from '../../files/documents.ts'
import type { ConferenceFile, DocumentPage } from '../../ports.ts'

const presentFailure = (reason: ConversionFailure | null) =>
  reason && { reason, message: CONVERSION_FAILURES[reason] }

export const presentFile = (file: ConferenceFile): FileView => ({
  file_id: file.id,
  conference_tag: file.conferenceTag || null,
  purpose: file.purpose,
  name: file.name,
  content_type: file.contentType,
  size: file.size,
  user_id: String(file.userId),
  display_name: file.displayName,
  created_at_ms: file.createdAtMs,
  state: file.state as FileView['state'], // only complete files are presented
  failure: presentFailure(file.failure),
  page_count: file.pageCount,
})

const presentPage = ({ pageNumber, width, height, failure }: DocumentPage) => ({
  page_number: pageNumber,
  width,
  height,
  failure: presentFailure(failure),
})

/** The slides as partners see them. */
export const presentSlides = ({ file, pages }: Document): RoomSlidesView => {
  const { conference_tag: _, purpose: __, user_id: ___, display_name: ____, ...rest } = presentFile(file)
  return { ...rest, pages: pages.map(presentPage) }
}

export const presentDocument = ({ file, pages }: Document) => ({
  result: 200 as const,
  ...presentFile(file),
  pages: pages.map(presentPage),
})

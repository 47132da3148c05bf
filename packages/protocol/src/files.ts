import { type Static, Type } from 'typebox'
import { Nullable, Result } from './schema.ts'

/** Files of conferences: slides, images for the board, and files in the chat (docs/slides.md, docs/uploads.md). */

export const FILE_PURPOSES = ['slides', 'board_image', 'chat_file'] as const
export type FilePurpose = (typeof FILE_PURPOSES)[number]

const MEGABYTE = 1_000_000
export const FILE_NAME_MAX = 255

/** The maximum size of a file; of slides it depends on what they are. */
export const PDF_MAX_BYTES = 50 * MEGABYTE
export const IMAGE_MAX_BYTES = 20 * MEGABYTE
export const CHAT_FILE_MAX_BYTES = 25 * MEGABYTE
/** The most pages of a document. */
export const DOCUMENT_PAGES_MAX = 300
export const IMAGE_MAX_PIXELS = 50 * MEGABYTE
/** The largest picture of a page. */
export const PAGE_PICTURE_MAX_BYTES = MEGABYTE
/** Widths of the pictures of a page, in pixels. Smaller pages have the same names for smaller pictures. */
export const PAGE_WIDTHS = ['320', '960', '1920'] as const
export type PageWidth = (typeof PAGE_WIDTHS)[number]

const OOXML = 'application/vnd.openxmlformats-officedocument'
/** Office documents, which become slides where a converter takes the format `office`. Documents with macros are not among them. */
export const OFFICE_TYPES = {
  pptx: `${OOXML}.presentationml.presentation`,
  ppsx: `${OOXML}.presentationml.slideshow`,
  docx: `${OOXML}.wordprocessingml.document`,
  odp: 'application/vnd.oasis.opendocument.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  /** A document whose content cannot be known: it is accepted, so that the converter says why it cannot be shown. */
  encrypted: 'application/x-ole-storage',
} as const
export type OfficeType = (typeof OFFICE_TYPES)[keyof typeof OFFICE_TYPES]
const officeTypes: readonly string[] = Object.values(OFFICE_TYPES)
export const isOfficeType = (type: string): type is OfficeType => officeTypes.includes(type)

/** The formats that converters may take beside PDF and images. */
export const OFFICE_FORMAT = 'office'

/** `Upload-Metadata` of an upload by a participant; workers send another one (UploadMetadata). */
export const ParticipantUploadMetadata = Type.Object({
  conference: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      format: 'text',
      description: 'The tag of a conference that the account is in.',
    }),
  ),
  chat_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 160,
      format: 'text',
      description: 'Instead, for a chat_file: a conversation of the account.',
    }),
  ),
  purpose: Type.Enum(FILE_PURPOSES),
  name: Type.String({
    minLength: 1,
    maxLength: FILE_NAME_MAX,
    format: 'text',
    description: 'The name of the file.',
  }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the whole file.' }),
})

/** Why a document, or a page of it, cannot be shown: stable codes, and a sentence in English. */
export const CONVERSION_FAILURES = {
  damaged: 'The file is damaged.',
  encrypted: 'The document is protected by a password.',
  empty: 'The document has no pages.',
  too_many_pages: `The document has more than ${DOCUMENT_PAGES_MAX} pages.`,
  too_many_pixels: 'The image has more than 50 megapixels.',
  too_slow: 'Drawing it takes too long.',
  too_large: 'The picture of it is too large.',
  unsupported: 'Files of this kind cannot be shown here.',
  converter_failed: 'The converter failed repeatedly.',
} as const
export type ConversionFailure = keyof typeof CONVERSION_FAILURES
const FailureCode = Type.Unsafe<ConversionFailure | null>({
  type: ['string', 'null'],
  enum: [...Object.keys(CONVERSION_FAILURES), null],
})

const Failure = Nullable(
  Type.Object(
    {
      reason: Type.String({ description: 'Open set: damaged, encrypted, too_slow, …' }),
      message: Type.String(),
    },
    { description: 'Why it cannot be shown; null: it can.' },
  ),
)

/** A word of a page, for screen readers and search: its box in thousandths of the width and the height of the page. */
const TextLine = Type.Object({
  text: Type.String({ maxLength: 4000 }),
  box: Type.Array(Type.Integer(), { minItems: 4, maxItems: 4, description: 'Left, top, right, bottom.' }),
})
export type TextLine = Static<typeof TextLine>

const Pixels = Type.Integer({ minimum: 1, maximum: 20_000 })
const PageNumber = Type.Integer({ minimum: 1, maximum: DOCUMENT_PAGES_MAX })

/** The last file of a page that a converter uploads, `pages/<number>/page.json`: with it, the page is there. */
export const ConvertedPage = Type.Object({
  page_number: PageNumber,
  page_count: PageNumber,
  width: Pixels,
  height: Pixels,
  failure: FailureCode,
  blob_ids: Type.Partial(
    Type.Object(
      Object.fromEntries(
        PAGE_WIDTHS.map(width => [width, Type.String({ pattern: '^b_[0-9a-f]{32}$' })]),
      ) as Record<PageWidth, ReturnType<typeof Type.String>>,
    ),
  ),
  lines: Type.Array(TextLine, { maxItems: 5000 }),
})
export type ConvertedPage = Static<typeof ConvertedPage>

/** The size of that file, and of any that a converter uploads. */
export const CONVERTED_PAGE_MAX_BYTES = 2 * MEGABYTE
export const CONVERTED_FILE_MAX_BYTES = 4 * MEGABYTE

export const ConversionResult = Type.Object({
  failure: FailureCode,
  page_count: Type.Integer({ minimum: 0, maximum: DOCUMENT_PAGES_MAX }),
})

const FileId = Type.String({ minLength: 1, maxLength: 64, format: 'text' })
export const FileParams = Type.Object({ file_id: FileId })
export const ConferenceFilesParams = Type.Object({
  conference_tag: Type.String({ minLength: 1, maxLength: 128, format: 'text' }),
})
const PageNumberText = Type.String({ pattern: '^[1-9][0-9]{0,3}$' })
export const DocumentPageParams = Type.Object({ file_id: FileId, page_number: PageNumberText })
export const PagePictureParams = Type.Object({
  file_id: FileId,
  page_number: PageNumberText,
  width: Type.Enum(PAGE_WIDTHS),
})

export const FileView = Type.Object({
  file_id: Type.String(),
  conference_tag: Nullable(Type.String({ description: 'null: it belongs to a conversation of two people.' })),
  purpose: Type.Enum(FILE_PURPOSES),
  name: Type.String(),
  content_type: Type.String({ description: 'By content, not by name.' }),
  size: Type.Integer({ description: 'Bytes.' }),
  user_id: Type.String({ description: 'The account that uploaded it.' }),
  display_name: Type.String(),
  created_at_ms: Type.Integer({ description: 'Unix milliseconds.' }),
  state: Type.Enum(['stored', 'converting', 'ready', 'failed'], {
    description:
      'converting: pages that are done are there already. ready: all of them are. stored: it has no pages.',
  }),
  failure: Failure,
  page_count: Nullable(Type.Integer({ description: 'null: not known, or it has no pages.' })),
})
export type FileView = Static<typeof FileView>

export const FileListResponse = Type.Object({
  result: Result,
  files: Type.Array(FileView, { description: 'Oldest first.' }),
})

export const DocumentPageView = Type.Object({
  page_number: Type.Integer(),
  width: Type.Integer({ description: 'Pixels of the largest picture.' }),
  height: Type.Integer(),
  failure: Failure,
})

export const FileResponse = Type.Object({
  result: Result,
  ...FileView.properties,
  pages: Type.Array(DocumentPageView, { description: 'The pages that are done, in order.' }),
})
export type DocumentView = Omit<Static<typeof FileResponse>, 'result'>

export const PageTextResponse = Type.Object({
  result: Result,
  lines: Type.Array(TextLine, { description: 'In reading order.' }),
})

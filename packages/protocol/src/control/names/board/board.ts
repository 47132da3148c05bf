import { type Static, Type } from 'typebox'
import { Nullable } from '../../../schema.ts'
import { Id, strict } from '../../scalars.ts'
import { Cursor } from '../../shared.ts'
import { BoardElement, ElementId, ElementVersion, putBody, VersionOfElement } from './elements.ts'
import { BOARD_BATCH_MAX, BOARD_PAGES_MAX, COORDINATE_MAX, DRAWERS_MAX, PAGE_ELEMENTS_MAX } from './limits.ts'

/** Who may draw, apart from moderators, and from the owner of a private page on that page. */
export const BOARD_RIGHTS = ['nobody', 'moderators', 'chosen', 'everybody'] as const
export type BoardRightsMode = (typeof BOARD_RIGHTS)[number]

export const PageId = Type.String({
  minLength: 8,
  maxLength: 16,
  pattern: '^[A-Za-z0-9_-]+$',
  description: 'A page of the deck: 8 to 16 characters, chosen by who adds it.',
})

export const PageBackground = Type.Union([
  Type.Object({ kind: Type.Enum(['blank', 'squared', 'lined']) }, strict),
  Type.Object({ kind: Type.Literal('image'), file_id: Id }, strict),
  Type.Object(
    {
      kind: Type.Literal('document'),
      file_id: Id,
      page_number: Type.Integer({ minimum: 1, maximum: 10_000 }),
    },
    strict,
  ),
])
export type PageBackground = Static<typeof PageBackground>

const Size = () => Type.Integer({ minimum: 100, maximum: 10_000, description: 'In units.' })

export const BoardPage = Type.Object(
  {
    page_id: PageId,
    width: Size(),
    height: Size(),
    background: PageBackground,
    owner_id: Type.Optional(
      Type.String({ ...Id, description: 'The user_id of whom alone, beside moderators, may watch it.' }),
    ),
    copy_of: Type.Optional(PageId),
  },
  strict,
)
export type BoardPage = Static<typeof BoardPage>

export const BoardRights = Type.Object(
  {
    mode: Type.Enum(BOARD_RIGHTS),
    user_ids: Type.Optional(
      Type.Array(Id, {
        maxItems: DRAWERS_MAX,
        description: 'With the mode chosen: the people who may draw.',
      }),
    ),
    look_around: Type.Optional(
      Type.Boolean({
        description:
          'false: people who are not moderators watch the shown page and own copies only. A command without it leaves it as it is.',
      }),
    ),
  },
  { ...strict, description: 'Who may draw; moderators always may, except with the mode nobody.' },
)
export type BoardRights = Static<typeof BoardRights>

const pages = () =>
  Type.Array(BoardPage, { maxItems: BOARD_PAGES_MAX, description: 'In the order of the deck.' })

const ShownPageId = () =>
  Nullable(
    Type.String({ ...PageId, description: 'The page that everybody sees; null: the board is closed.' }),
  )

export const BoardIndex = Type.Object(
  { pages: pages(), shown_page_id: ShownPageId(), rights: BoardRights },
  { ...strict, description: 'The deck without the content of its pages (docs/board.md).' },
)
export type BoardIndex = Static<typeof BoardIndex>

/** The state of a page's stream. */
export const PageState = Type.Object(
  {
    page_id: PageId,
    elements: Type.Array(BoardElement, {
      maxItems: PAGE_ELEMENTS_MAX,
      description: 'Those that are not deleted.',
    }),
  },
  strict,
)
export interface PageState {
  page_id: string
  elements: BoardElement[]
}

const ofPage = (description: string) => Type.Object({ page_id: PageId }, { ...strict, description })
const versions = () => Type.Array(VersionOfElement, { minItems: 1, maxItems: BOARD_BATCH_MAX })
const distance = () => Type.Integer({ minimum: -COORDINATE_MAX, maximum: COORDINATE_MAX })

export const boardCommands = {
  'board.put': putBody({ page_id: PageId }),
  'board.delete': Type.Object({ page_id: PageId, elements: versions() }, strict),
  'board.restore': Type.Object({ page_id: PageId, elements: versions() }, strict),
  'board.move': Type.Object(
    { page_id: PageId, dx: distance(), dy: distance(), elements: versions() },
    { ...strict, description: 'In units.' },
  ),
  'board.page_add': Type.Object(
    {
      page_id: PageId,
      after_page_id: Type.Optional(PageId),
      width: Type.Optional(Size()),
      height: Type.Optional(Size()),
      background: Type.Optional(PageBackground),
    },
    { ...strict, description: 'Adds a page at the end, or after another one.' },
  ),
  'board.page_remove': Type.Object(
    {
      page_id: PageId,
      copies: Type.Optional(
        Type.Boolean({ description: 'true: the copies of the page instead of the page.' }),
      ),
    },
    { ...strict, description: 'Removes a page with all that is on it.' },
  ),
  'board.page_order': Type.Object(
    { page_ids: Type.Array(PageId, { minItems: 1, maxItems: BOARD_PAGES_MAX }) },
    { ...strict, description: 'The order of the deck; pages that are not named follow.' },
  ),
  'board.page_show': Type.Object(
    { page_id: ShownPageId() },
    { ...strict, description: 'Shows a page to everybody, or closes the board.' },
  ),
  'board.page_clear': ofPage('Deletes all elements of a page that the sender may delete.'),
  'board.set_rights': Type.Object(BoardRights.properties, strict),
  'board.hand_out': ofPage('Gives each participant who is not a moderator a private copy of a page.'),
  'board.show_copy': ofPage('Shows a private page to everybody.'),
  'board.watch': ofPage('Opens the stream of a page; its snapshot follows.'),
  'board.unwatch': ofPage('Closes the stream of a page.'),
}

const skipped = () =>
  Type.Object(
    {
      skipped: Type.Array(ElementId, {
        maxItems: BOARD_BATCH_MAX,
        description: 'Elements that are not there, or that somebody else has changed first.',
      }),
    },
    strict,
  )

export const boardData = {
  'board.delete': skipped(),
  'board.restore': skipped(),
  'board.move': skipped(),
  'board.page_clear': Type.Object(
    {
      element_ids: Type.Array(ElementId, { maxItems: PAGE_ELEMENTS_MAX }),
      versions: Type.Array(ElementVersion, { maxItems: PAGE_ELEMENTS_MAX }),
    },
    { ...strict, description: 'What was deleted, with the versions that it has now, for board.restore.' },
  ),
  'board.watch': Type.Object(
    { stream: Type.Object(Cursor.properties, { ...strict, description: 'The stream of the page.' }) },
    strict,
  ),
}

/** Events of the stream of a session. */
export const boardEvents = {
  'board.changed': Type.Object(
    {
      pages: Type.Optional(pages()),
      shown_page_id: Type.Optional(ShownPageId()),
      rights: Type.Optional(BoardRights),
    },
    { ...strict, minProperties: 1, description: 'The parts of the index that have changed.' },
  ),
}

/** Events of the stream of a page. */
export const pageEvents = {
  'board.elements': Type.Object(
    { elements: Type.Array(BoardElement, { minItems: 1, maxItems: PAGE_ELEMENTS_MAX }) },
    { ...strict, description: 'Elements that were put or restored.' },
  ),
  'board.deleted': Type.Object(
    { elements: Type.Array(VersionOfElement, { minItems: 1, maxItems: PAGE_ELEMENTS_MAX }) },
    { ...strict, description: 'Elements that were deleted.' },
  ),
  'board.moved': Type.Object(
    { dx: distance(), dy: distance(), elements: versions() },
    { ...strict, description: 'Elements that were moved by so many units.' },
  ),
}
export type PageEvent = {
  [N in keyof typeof pageEvents]: { name: N; body: Static<(typeof pageEvents)[N]> }
}[keyof typeof pageEvents]

export const boardState = { board: Type.Optional(BoardIndex) }

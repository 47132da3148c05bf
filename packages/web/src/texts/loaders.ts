import type { CompleteTexts, PartName, Texts } from './catalogue.ts'
import english from './en/core.json'
import type { LanguageName } from './languages.ts'

const textsOf = async <T>(loaded: Promise<{ default: T }>): Promise<T> => (await loaded).default

type Loaders<T extends Texts> = { [P in PartName]: () => Promise<T[P]> }

/**
 * English is part of the first load and the fallback for missing texts. Every part of the other languages is a chunk of
 * its own: a page fetches only the parts that it shows, in its language.
 */
export const loaders = {
  en: {
    core: () => Promise.resolve(english),
    room: () => textsOf(import('./en/room.json')),
    roomParts: () => textsOf(import('./en/roomParts.json')),
    board: () => textsOf(import('./en/board.json')),
    home: () => textsOf(import('./en/home.json')),
    admin: () => textsOf(import('./en/admin.json')),
  } satisfies Loaders<CompleteTexts>,
  de: {
    core: () => textsOf(import('./de/core.json')),
    room: () => textsOf(import('./de/room.json')),
    roomParts: () => textsOf(import('./de/roomParts.json')),
    board: () => textsOf(import('./de/board.json')),
    home: () => textsOf(import('./de/home.json')),
    admin: () => textsOf(import('./de/admin.json')),
  },
  es: {
    core: () => textsOf(import('./es/core.json')),
    room: () => textsOf(import('./es/room.json')),
    roomParts: () => textsOf(import('./es/roomParts.json')),
    board: () => textsOf(import('./es/board.json')),
    home: () => textsOf(import('./es/home.json')),
    admin: () => textsOf(import('./es/admin.json')),
  },
  fr: {
    core: () => textsOf(import('./fr/core.json')),
    room: () => textsOf(import('./fr/room.json')),
    roomParts: () => textsOf(import('./fr/roomParts.json')),
    board: () => textsOf(import('./fr/board.json')),
    home: () => textsOf(import('./fr/home.json')),
    admin: () => textsOf(import('./fr/admin.json')),
  },
  pt: {
    core: () => textsOf(import('./pt/core.json')),
    room: () => textsOf(import('./pt/room.json')),
    roomParts: () => textsOf(import('./pt/roomParts.json')),
    board: () => textsOf(import('./pt/board.json')),
    home: () => textsOf(import('./pt/home.json')),
    admin: () => textsOf(import('./pt/admin.json')),
  },
  tr: {
    core: () => textsOf(import('./tr/core.json')),
    room: () => textsOf(import('./tr/room.json')),
    roomParts: () => textsOf(import('./tr/roomParts.json')),
    board: () => textsOf(import('./tr/board.json')),
    home: () => textsOf(import('./tr/home.json')),
    admin: () => textsOf(import('./tr/admin.json')),
  },
  ru: {
    core: () => textsOf(import('./ru/core.json')),
    room: () => textsOf(import('./ru/room.json')),
    roomParts: () => textsOf(import('./ru/roomParts.json')),
    board: () => textsOf(import('./ru/board.json')),
    home: () => textsOf(import('./ru/home.json')),
    admin: () => textsOf(import('./ru/admin.json')),
  },
  ar: {
    core: () => textsOf(import('./ar/core.json')),
    room: () => textsOf(import('./ar/room.json')),
    roomParts: () => textsOf(import('./ar/roomParts.json')),
    board: () => textsOf(import('./ar/board.json')),
    home: () => textsOf(import('./ar/home.json')),
    admin: () => textsOf(import('./ar/admin.json')),
  },
} satisfies Record<LanguageName, Loaders<Texts>>

import type { CompleteTexts, PartName, Texts } from './catalogue.ts'
import * as english from './en/parts/core.ts'
import type { LanguageName } from './languages.ts'

type Loaders<T extends Texts> = { [P in PartName]: () => Promise<T[P]> }

/**
 * English is part of the first load and the fallback for missing texts. Every part of the other languages is a chunk of
 * its own: a page fetches only the parts that it shows, in its language.
 */
export const loaders = {
  en: {
    core: () => Promise.resolve(english),
    room: () => import('./en/parts/room.ts'),
    board: () => import('./en/parts/board.ts'),
    home: () => import('./en/parts/home.ts'),
    admin: () => import('./en/parts/admin.ts'),
  } satisfies Loaders<CompleteTexts>,
  de: {
    core: () => import('./de/parts/core.ts'),
    room: () => import('./de/parts/room.ts'),
    board: () => import('./de/parts/board.ts'),
    home: () => import('./de/parts/home.ts'),
    admin: () => import('./de/parts/admin.ts'),
  },
  es: {
    core: () => import('./es/parts/core.ts'),
    room: () => import('./es/parts/room.ts'),
    board: () => import('./es/parts/board.ts'),
    home: () => import('./es/parts/home.ts'),
    admin: () => import('./es/parts/admin.ts'),
  },
  fr: {
    core: () => import('./fr/parts/core.ts'),
    room: () => import('./fr/parts/room.ts'),
    board: () => import('./fr/parts/board.ts'),
    home: () => import('./fr/parts/home.ts'),
    admin: () => import('./fr/parts/admin.ts'),
  },
  pt: {
    core: () => import('./pt/parts/core.ts'),
    room: () => import('./pt/parts/room.ts'),
    board: () => import('./pt/parts/board.ts'),
    home: () => import('./pt/parts/home.ts'),
    admin: () => import('./pt/parts/admin.ts'),
  },
  tr: {
    core: () => import('./tr/parts/core.ts'),
    room: () => import('./tr/parts/room.ts'),
    board: () => import('./tr/parts/board.ts'),
    home: () => import('./tr/parts/home.ts'),
    admin: () => import('./tr/parts/admin.ts'),
  },
  ru: {
    core: () => import('./ru/parts/core.ts'),
    room: () => import('./ru/parts/room.ts'),
    board: () => import('./ru/parts/board.ts'),
    home: () => import('./ru/parts/home.ts'),
    admin: () => import('./ru/parts/admin.ts'),
  },
  ar: {
    core: () => import('./ar/parts/core.ts'),
    room: () => import('./ar/parts/room.ts'),
    board: () => import('./ar/parts/board.ts'),
    home: () => import('./ar/parts/home.ts'),
    admin: () => import('./ar/parts/admin.ts'),
  },
} satisfies Record<LanguageName, Loaders<Texts>>

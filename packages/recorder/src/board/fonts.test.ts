import { fontOf } from '@lectern/board'
import { TEXT_WIDTHS } from '@lectern/board/testing'
import { createCanvas } from '@napi-rs/canvas'
import { expect, it } from 'vitest'
import { loadFonts } from './fonts.ts'

it.each(TEXT_WIDTHS)(
  'a text is as wide as in browsers, whatever fonts the machine has: %s',
  (text, width) => {
    loadFonts()
    const context = createCanvas(1, 1).getContext('2d')
    context.font = fontOf(40)
    expect(Math.abs(context.measureText(text).width - width)).toBeLessThan(0.5)
  },
)

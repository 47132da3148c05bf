import { describe, expect, it } from 'vitest'
import { brandColours, readLook } from './room-look.ts'
import { USUAL_LOOK } from './testing.ts'

describe('the look of a room', () => {
  it.each([
    ['#0a7d5a', '#ffffff'],
    ['#ffd400', '#000000'],
    ['#ffffff', '#000000'],
    ['#000000', '#ffffff'],
  ])('has on %s what is readable: %s', (accent, ink) => {
    expect(brandColours(accent)).toMatchObject({ '--brand': accent, '--brand-ink': ink })
  })

  it('is what the partner has set, and the usual where that is malformed', () => {
    expect(
      readLook({
        brand: { name: ' School ', accent: '#0A7d5a' },
        layout: 'grid',
        language: 'fr',
        return_url: 'https://school.example/',
      }),
    ).toEqual({
      brand: 'School',
      accent: '#0A7d5a',
      layout: 'grid',
      language: 'fr',
      returnUrl: 'https://school.example/',
    })
    const odd = { brand: { name: ' ', accent: 'red' }, layout: 'mosaic', return_url: 'javascript:alert(1)' }
    expect(readLook(odd as never)).toEqual(USUAL_LOOK)
    expect(readLook({})).toEqual(USUAL_LOOK)
  })
})

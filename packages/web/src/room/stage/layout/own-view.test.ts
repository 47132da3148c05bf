import { expect, it } from 'vitest'
import { cornerByKey, FIRST_CORNER } from './own-view.ts'

it('moves the own view by arrow keys, in the direction that the viewer sees', () => {
  expect(cornerByKey(FIRST_CORNER, 'ArrowUp', false)).toEqual({ block: 'top', inline: 'end' })
  expect(cornerByKey(FIRST_CORNER, 'ArrowLeft', false)).toEqual({ block: 'bottom', inline: 'start' })
  expect(cornerByKey(FIRST_CORNER, 'ArrowRight', false)).toEqual(FIRST_CORNER)
  expect(cornerByKey(FIRST_CORNER, 'ArrowLeft', true)).toEqual(FIRST_CORNER)
  expect(cornerByKey(FIRST_CORNER, 'ArrowRight', true)).toEqual({ block: 'bottom', inline: 'start' })
  expect(cornerByKey(FIRST_CORNER, 'Enter', false)).toBeNull()
})

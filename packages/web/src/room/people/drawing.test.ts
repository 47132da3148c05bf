import type { BoardIndex } from '@lectern/protocol/control/client'
import { describe, expect, it } from 'vitest'
import { mayDrawOnPages, withDrawer } from './drawing.ts'

const participants = [
  { user_id: '1', role: 'moderator' },
  { user_id: '2', role: 'participant' },
  { user_id: '3', role: 'participant' },
  { user_id: '3', role: 'participant' }, // a second device
] as const

describe('the right of one person to draw', () => {
  it.each<[BoardIndex['rights'], string[]]>([
    [{ mode: 'everybody' }, ['2']],
    [{ mode: 'moderators' }, []],
    [{ mode: 'nobody' }, []],
    [{ mode: 'chosen', user_ids: ['2', '3', '9'] }, ['2', '9']],
  ])('is taken without those of others: %o', (rights, left) => {
    const next = withDrawer(rights, '3', false, participants)
    expect(next).toEqual({ mode: 'chosen', user_ids: left })
    expect(mayDrawOnPages(next, '3')).toBe(false)
  })

  it.each<[BoardIndex['rights'], string[]]>([
    [{ mode: 'moderators' }, ['3']],
    [{ mode: 'nobody' }, ['3']],
    [{ mode: 'chosen', user_ids: ['2'] }, ['2', '3']],
    [{ mode: 'chosen', user_ids: ['3', '2'] }, ['2', '3']],
  ])('is given without those of others: %o', (rights, having) => {
    const next = withDrawer(rights, '3', true, participants)
    expect(next).toEqual({ mode: 'chosen', user_ids: having })
    expect(mayDrawOnPages(next, '3')).toBe(true)
  })
})

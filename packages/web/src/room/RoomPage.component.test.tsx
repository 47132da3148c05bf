import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { checkAppearance } from '../testing/appearance.ts'
import { renderRoom } from '../testing/room.tsx'

describe('the room', () => {
  it('has no accessibility violation and fits', async () => {
    await renderRoom()
    await expect.element(page.getByRole('button', { name: 'Leave' })).toBeVisible()
    await userEvent.keyboard('c')
    await expect.element(page.getByRole('textbox', { name: 'Write a message' })).toHaveFocus()
    await checkAppearance('room')
  })
})

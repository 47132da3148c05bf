import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { checkAppearance, checkFit } from '../../testing/appearance.ts'
import { renderHome } from '../../testing/home.tsx'
import { checkKeyboardEverywhere } from '../../testing/keyboard.ts'
import { aContact } from '../messaging/testing.ts'

const ben = aContact(8, { display_name: 'Ben', login: 'ben', state: 'incoming' })

describe('the contacts', () => {
  it('gain a person who has asked already when the user adds them', async () => {
    const home = await renderHome('/contacts', {
      view: { contacts: [ben] },
      commands: {
        'contact.add': () => {
          const contact = { ...ben, state: 'contact' as const }
          home.setView({ contacts: [contact] })
          return { contact }
        },
      },
    })
    await expect.element(page.getByRole('heading', { name: 'Requests to you: 1' })).toBeVisible()
    await page.getByRole('button', { name: 'Add contact' }).click()
    await page.getByRole('textbox', { name: 'Username of the person' }).fill('ben')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('heading', { name: 'Contacts: 1' })).toBeVisible()
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
    expect(home.control.bodies('contact.add')).toEqual([{ login: 'ben' }])
  })

  it.each(['en', 'ru'] as const)(
    'are reached by keyboard, accessible and fit every screen, in %s',
    async language => {
      const check = language === 'en' ? checkAppearance : checkFit // axe reads no words
      const contacts = [
        ben,
        aContact(9, { display_name: 'Dr. Maximiliana von Habsburg-Lothringen-Este', presence: 'online' }),
        aContact(10, { display_name: 'مريم الخطيب', presence: 'away' }),
        aContact(11, { display_name: 'Zoë', state: 'outgoing' }),
        aContact(12, { display_name: 'Blocked', state: 'blocked' }),
      ]
      await renderHome('/contacts', { language, view: { contacts } })
      await expect.element(page.getByText('Zoë')).toBeVisible()
      if (language === 'en') await checkKeyboardEverywhere()
      await check('contacts')
      await page.getByRole('button', { name: language === 'en' ? 'Add contact' : 'Добавить контакт' }).click()
      await check('add')
    },
  )
})

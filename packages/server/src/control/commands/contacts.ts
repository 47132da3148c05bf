import type { JsonObject } from '@lectern/protocol/control'
import type { Handler } from './command.ts'
import { ownAccount } from './own-account.ts'

/** Contacts, mutes and presence of the sender's account (rules MSG-20 to MSG-29, MSG-40 to MSG-43). */

export const add: Handler<'contact.add'> = async ({ messaging }, sender, { target, body }) => ({
  data: (await messaging.contacts.add(ownAccount(sender, target), body)) as unknown as JsonObject,
})

export const remove: Handler<'contact.remove'> = async ({ messaging }, sender, { target, body }) => {
  await messaging.contacts.remove(ownAccount(sender, target), body)
  return {}
}

export const list: Handler<'contact.list'> = async ({ messaging }, sender, { target }) => ({
  data: (await messaging.contacts.list(ownAccount(sender, target))) as unknown as JsonObject,
})

export const setMuted: Handler<'mute.set'> = async ({ messaging }, sender, { target, body }) => {
  await messaging.contacts.setMuted(ownAccount(sender, target), body)
  return {}
}

export const updatePresence: Handler<'presence.update'> = async ({ messaging }, sender, { target, body }) => {
  messaging.presence.setVisible(ownAccount(sender, target).id, sender.id, body.visible)
  return {}
}

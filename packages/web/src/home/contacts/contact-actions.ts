import type { Contact } from '@lectern/protocol/control/client'
import { useConnection } from '../../account-connection/use-connection.ts'

/** The actions of the user on a person. All reject with a ControlFailure. */
export function useContactActions() {
  const { command, self } = useConnection()
  const remove = async (user_id: string, blocked: boolean) => {
    await command('contact.remove', self, blocked ? { user_id, blocked } : { user_id })
  }
  return {
    /** Asks the person, or accepts their request. */
    add: async (user_id: string): Promise<Contact> =>
      (await command('contact.add', self, { user_id })).contact,
    addByLogin: async (login: string): Promise<Contact> =>
      (await command('contact.add', self, { login })).contact,
    /** Removes a contact, declines or withdraws a request, lifts a block. */
    remove: (userId: string) => remove(userId, false),
    block: (userId: string) => remove(userId, true),
    muteDirect: async (user_id: string, muted: boolean) => {
      await command('mute.set', self, { user_id, muted })
    },
    muteConference: async (tag: string, muted: boolean) => {
      await command('mute.set', self, { tag, muted })
    },
  }
}

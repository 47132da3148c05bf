import { createHarness } from './control-harness.ts'
import { Drawer } from './drawer.ts'

/** A session with a moderator and a participant, who both draw. */
export async function openBoard(settings: Parameters<typeof createHarness>[0] = {}) {
  const harness = await createHarness(settings)
  const anna = await harness.enter('anna', 'moderator')
  const ben = await harness.enter('ben')
  return { harness, anna: new Drawer(anna), ben: new Drawer(ben) }
}

/** The result of a command that is refused for this reason. */
export const refusedFor = (reason: string) => ({ status: 'rejected', error: { extensions: { reason } } })

export const committed = { status: 'committed' }

export const userIdOf = (harness: Awaited<ReturnType<typeof createHarness>>, name: string) =>
  String(harness.authenticator.user(name).id)

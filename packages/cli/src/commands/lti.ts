import type { Command } from 'commander'
import { addCommand, type CommonOptions, withOperator } from '../command.ts'
import { print, table } from '../output.ts'

export function addLti(lectern: Command) {
  const group = lectern
    .command('lti')
    .description('manage learning management systems that open rooms (LTI 1.3)')

  addCommand(group, 'invite', 'print a link with which one platform registers itself within 24 hours')
    .requiredOption('--account <name>', 'service account whose technical user owns the rooms')
    .action(invite)
  addCommand(group, 'list', 'list the registered platforms').action(list)
  addCommand(group, 'remove <id>', 'remove a platform, which opens no rooms any more').action(remove)
}

async function invite(options: CommonOptions & { account: string }) {
  const { link, expiresAtMs } = await withOperator(options, async operator => {
    const { token, expiresAtMs } = await operator.lti.invite(options.account)
    return { link: operator.ltiLink(token), expiresAtMs }
  })
  const expires_at = Math.floor(expiresAtMs / 1000)
  const until = new Date(expiresAtMs).toISOString()
  print(options, { link, expires_at }, `Registration link, for one platform, valid until ${until}:\n${link}`)
}

async function list(options: CommonOptions) {
  const platforms = await withOperator(options, ({ lti }) => lti.list())
  const rows = platforms.map(each => [each.id, each.name, each.issuer, each.ltiClientId])
  const views = platforms.map(each => ({
    id: each.id,
    name: each.name,
    issuer: each.issuer,
    client_id: each.ltiClientId,
  }))
  print(options, { platforms: views }, table(['id', 'name', 'issuer', 'client id'], rows))
}

async function remove(id: string, options: CommonOptions) {
  await withOperator(options, ({ lti }) => lti.remove(id))
  print(options, { id }, `Removed the platform ${id}.`)
}

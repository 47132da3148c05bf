import { DELIVERY_STATUSES, type DeliveryStatus, type Operator } from '@lectern/server/operator'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { addCommand, type Common, withOperator } from '../command.ts'
import { print, table } from '../output.ts'

type Delivery = Awaited<ReturnType<Operator['webhooks']['replay']>>

export function addWebhook(lectern: Command) {
  const webhook = lectern.command('webhook').description('what is told to partners')

  addCommand(webhook, 'deliveries', 'show deliveries, the newest first')
    .addOption(new Option('--status <status>', 'only these').choices(DELIVERY_STATUSES))
    .option('--limit <count>', 'no more than so many', readCount, 500)
    .action(deliveries)

  addCommand(webhook, 'replay <id>', 'send one again: same id, same content, all attempts').action(replay)
}

async function deliveries(options: Common & { status?: DeliveryStatus; limit: number }) {
  const { status, limit } = options
  const found = await withOperator(options, ({ webhooks }) => webhooks.deliveries({ status, limit }))
  const views = found.deliveries.map(present)
  const rows = views.map(view => [
    view.id,
    view.service_account,
    view.event,
    view.status,
    String(view.attempts),
    view.error ?? '',
    timeOf(view.created_at),
    view.next_attempt_at === null ? '' : timeOf(view.next_attempt_at),
  ])
  const headings = ['id', 'account', 'event', 'status', 'attempts', 'error', 'made', 'next attempt']
  const rest = found.more ? `\nThere are more: --limit ${limit * 2} shows older ones.` : ''
  print(options, { deliveries: views, more: found.more }, table(headings, rows) + rest)
}

async function replay(id: string, options: Common) {
  const delivery = await withOperator(options, ({ webhooks }) => webhooks.replay(id))
  print(options, present(delivery), `Delivery ${id} is sent again, at once if the service runs.`)
}

function readCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('A count is a number from 1 to 999999.')
  return Number(text)
}

/** Everything but the content, which is the partner's. */
const present = (delivery: Delivery) => ({
  id: delivery.id,
  service_account: delivery.serviceAccount,
  event: delivery.event,
  subject: delivery.subject,
  status: delivery.status,
  attempts: delivery.attempts,
  next_attempt_at: delivery.nextAttemptAtMs === null ? null : Math.ceil(delivery.nextAttemptAtMs / 1000),
  response_status: delivery.responseStatus,
  error: delivery.error,
  created_at: delivery.createdAt,
  updated_at: delivery.updatedAt,
})

const timeOf = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000', '')

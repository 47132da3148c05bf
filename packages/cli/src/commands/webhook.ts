import { DELIVERY_STATUSES, type DeliveryStatus, type Operator } from '@lectern/server/operator'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { addCommand, type CommonOptions, withOperator } from '../command.ts'
import { print, table } from '../output.ts'

type Delivery = Awaited<ReturnType<Operator['webhooks']['replay']>>

export function addWebhook(lectern: Command) {
  const webhook = lectern.command('webhook').description('inspect webhook deliveries')

  addCommand(webhook, 'deliveries', 'list deliveries, newest first')
    .addOption(new Option('--status <status>', 'only deliveries with this status').choices(DELIVERY_STATUSES))
    .option('--limit <count>', 'maximum number of deliveries', readCount, 500)
    .action(deliveries)

  addCommand(
    webhook,
    'replay <id>',
    'send a delivery again with the same id and content, and all attempts',
  ).action(replay)
}

async function deliveries(options: CommonOptions & { status?: DeliveryStatus; limit: number }) {
  const { status, limit } = options
  const page = await withOperator(options, ({ webhooks }) => webhooks.deliveries({ status, limit }))
  const views = page.deliveries.map(present)
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
  const headings = ['id', 'account', 'event', 'status', 'attempts', 'error', 'created', 'next attempt']
  const hint = page.more ? `\nMore deliveries exist: --limit ${limit * 2} shows older ones.` : ''
  print(options, { deliveries: views, more: page.more }, table(headings, rows) + hint)
}

async function replay(id: string, options: CommonOptions) {
  const delivery = await withOperator(options, ({ webhooks }) => webhooks.replay(id))
  print(options, present(delivery), `Queued delivery ${id}; a running service sends it immediately.`)
}

function readCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('A count is a number from 1 to 999999.')
  return Number(text)
}

/** All fields but the body, which is confidential to the partner. */
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

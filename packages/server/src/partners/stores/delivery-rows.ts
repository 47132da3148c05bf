import type { Selectable, Updateable } from 'kysely'
import type { WebhookDeliveriesTable } from '../../platform/db/schema.ts'
import type { Delivery, DeliveryStatus, Settlement } from '../ports.ts'

type Row = Omit<Selectable<WebhookDeliveriesTable>, 'body' | 'history'>

export const toRecord = (row: Row): Omit<Delivery, 'body'> => ({
  id: row.id,
  serviceAccount: row.service_account,
  event: row.event as Delivery['event'],
  subject: row.subject,
  status: row.status as DeliveryStatus,
  attempts: row.attempts,
  nextAttemptAtMs: row.next_attempt_at_ms,
  responseStatus: row.response_status,
  error: row.error,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
export const toDelivery = (row: Selectable<WebhookDeliveriesTable>): Delivery => ({
  ...toRecord(row),
  body: row.body,
})

/** All but the body, which may contain a long transcript, and the history. */
export const RECORD = [
  'id',
  'service_account',
  'event',
  'subject',
  'status',
  'attempts',
  'next_attempt_at_ms',
  'lease',
  'response_status',
  'error',
  'created_at',
  'updated_at',
] as const

export function columnsOf(settlement: Settlement): Updateable<WebhookDeliveriesTable> {
  switch (settlement.is) {
    case 'delivered':
      return {
        status: 'delivered',
        next_attempt_at_ms: null,
        response_status: settlement.responseStatus,
        error: null,
      }
    case 'failed':
      return {
        status: 'failed',
        next_attempt_at_ms: null,
        response_status: settlement.responseStatus,
        error: settlement.error,
      }
    case 'retry':
      return {
        next_attempt_at_ms: settlement.atMs,
        response_status: settlement.responseStatus,
        error: settlement.error,
      }
    case 'returned':
      return { next_attempt_at_ms: settlement.atMs }
    case 'cancelled':
      return { status: 'cancelled', next_attempt_at_ms: null }
  }
}

import { type Static, Type } from 'typebox'
import { Delivery, type DeliveryAttempt, DeliveryHistory, DeliveryQuery } from '../integration/deliveries.ts'
import { Next } from '../paging.ts'
import { Result } from '../schema.ts'

export const AdminDelivery = Type.Object({ ...Delivery.properties, service_account: Type.String() })
export type AdminDelivery = Static<typeof AdminDelivery>

export const AdminDeliveryQuery = DeliveryQuery

export const AdminDeliveryListResponse = Type.Object({
  result: Result,
  deliveries: Type.Array(AdminDelivery, { description: 'Newest first.' }),
  next: Next,
})
export type AdminDeliveryListResponse = Static<typeof AdminDeliveryListResponse>

export const AdminDeliveryResponse = Type.Object({ result: Result, ...AdminDelivery.properties })

export type AdminDeliveryAttempt = Static<typeof DeliveryAttempt>

export const AdminDeliveryDetailsResponse = Type.Object({
  result: Result,
  ...AdminDelivery.properties,
  history: DeliveryHistory,
})
export type AdminDeliveryDetailsResponse = Static<typeof AdminDeliveryDetailsResponse>

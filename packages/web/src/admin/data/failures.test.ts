import { expect, it } from 'vitest'
import { failureFor } from './failures.ts'

it('says of everything that it does not exist, in its own words where it has some', () => {
  expect(['user_not_found', 'service_account_not_found', 'delivery_not_found'].map(failureFor)).toEqual([
    'user_not_found',
    'not_found',
    'not_found',
  ])
  expect([failureFor(null), failureFor('brand_new_code')]).toEqual(['unreachable', 'other'])
})

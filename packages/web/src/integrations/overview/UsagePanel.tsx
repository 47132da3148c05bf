import type { UsageResponse } from '@lectern/protocol'
import { useState } from 'react'
import { useResource } from '../../admin/data/use-resource.ts'
import { Facts } from '../../admin/parts/Facts.tsx'
import { ResourceStatus } from '../../admin/parts/Resource.tsx'
import { useFormat } from '../../admin/parts/use-format.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Select } from '../../ui/Select.tsx'
import { recentMonths } from './months.ts'
import styles from './UsagePanel.module.css'

const MONTHS = 12

/** The usage of the technical user's rooms in a month. */
export function UsagePanel() {
  const { t, locale } = useTexts()
  const [months] = useState(() => recentMonths(Date.now(), MONTHS))
  const [month, setMonth] = useState(months[0] ?? '')
  const nameOf = new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'long', timeZone: 'UTC' })
  return (
    <>
      <div className={styles.month}>
        <Select
          label={t('integrations.usage.month')}
          options={months.map(value => ({ value, label: nameOf.format(Date.parse(`${value}-01`)) }))}
          value={month}
          onChange={setMonth}
        />
      </div>
      <Usage key={month} month={month} />
    </>
  )
}

function Usage({ month }: { month: string }) {
  const { t } = useTexts()
  const format = useFormat()
  const { state, reload } = useResource<UsageResponse>(`/usage?month=${month}`)
  if (state.is !== 'known') return <ResourceStatus state={state} reload={reload} />
  const { participant_minutes, recorded_minutes, stored_bytes, webhooks } = state.body
  return (
    <Facts
      title={t('integrations.usage.title')}
      facts={[
        { name: t('integrations.usage.participantMinutes'), value: format.number(participant_minutes) },
        { name: t('integrations.usage.recordedMinutes'), value: format.number(recorded_minutes) },
        { name: t('integrations.usage.webhooks'), value: format.number(webhooks) },
        { name: t('integrations.usage.stored'), value: format.bytes(stored_bytes) },
      ]}
    />
  )
}

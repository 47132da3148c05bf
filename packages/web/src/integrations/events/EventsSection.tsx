import type { HostedEvent, PartnerEventType } from '@lectern/protocol'
import { useState } from 'react'
import { useList } from '../../admin/data/use-list.ts'
import { ListSection } from '../../admin/list/ListSection.tsx'
import { visibleText } from '../../admin/parts/format.ts'
import { SmallButton } from '../../admin/parts/SmallButton.tsx'
import { useFormat } from '../../admin/parts/use-format.ts'
import { Link } from '../../site/Link.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Payload } from '../Payload.tsx'
import { newestFirst, pageOf } from '../pages.ts'
import { useIntegrationPath } from '../use-integration.ts'
import { EVENT_TYPES } from './event-types.ts'

const read = pageOf<'events', HostedEvent>('events')

export const EventsSection = () => <EventList />

/** The events of all rooms, or of one; the newest first. `room`: its external id. */
export function EventList({ room }: { room?: string }) {
  const { t } = useTexts()
  const format = useFormat()
  const path = useIntegrationPath()
  const list = useList('/events', read)
  const [shown, setShown] = useState<HostedEvent | null>(null)
  const [query] = useState({ ...newestFirst, ...(room !== undefined && { room }) })
  return (
    <>
      <ListSection
        title={t('integrations.sections.events')}
        list={list}
        query={query}
        keyOf={({ id }: HostedEvent) => id}
        empty={t('integrations.event.none')}
        emptyHint={t('integrations.event.hint')}
        filters={[
          {
            name: 'type',
            label: t('admin.column.event'),
            options: EVENT_TYPES.map((value: PartnerEventType) => ({ value, label: value })),
          },
        ]}
        columns={[
          {
            key: 'time',
            label: t('admin.column.time'),
            render: ({ created_at }) => format.time(Date.parse(created_at)),
          },
          { key: 'type', label: t('admin.column.event'), render: ({ type }) => <code>{type}</code> },
          ...(room === undefined
            ? [
                {
                  key: 'room',
                  label: t('integrations.event.room'),
                  render: ({ room: { external_id } }: HostedEvent) => (
                    <Link href={path('rooms', external_id)}>{visibleText(external_id)}</Link>
                  ),
                },
              ]
            : []),
          {
            key: 'sequence',
            label: t('integrations.event.sequence'),
            render: ({ sequence }) => format.number(sequence),
            isNumeric: true,
          },
        ]}
        actions={event => (
          <SmallButton
            label={t('integrations.event.open')}
            name={t('integrations.event.openNamed', { type: event.type, id: event.id })}
            onClick={() => setShown(event)}
          />
        )}
      />
      {shown && (
        <Dialog title={shown.type} onClose={() => setShown(null)}>
          <Payload label={t('integrations.event.payload')} value={shown} />
        </Dialog>
      )}
    </>
  )
}

import type { TFunction } from 'i18next'
import type { RouteStatistics, StreamStatistics } from '../../call/media/read-stats.ts'

const SEPARATOR = ' · '

/** One line about a stream, with what is known: rate, loss, resolution, codec. */
export function describeStream(
  { kbps, lossPercent, resolution, codec }: StreamStatistics,
  t: TFunction,
  locale: string,
): string {
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  return [
    kbps !== null && t('statistics.kbps', { kbps: number.format(kbps) }),
    lossPercent !== null && t('statistics.loss', { percent: number.format(lossPercent) }),
    resolution && `${resolution.width}×${resolution.height}`,
    resolution?.fps != null && t('statistics.fps', { fps: number.format(resolution.fps) }),
    codec,
  ]
    .filter(Boolean)
    .join(SEPARATOR)
}

/** One line about the way of the packets: the route and how long they take. */
export function describeRoute(
  { rttMs, protocol, isRelayed }: RouteStatistics,
  t: TFunction,
  locale: string,
): string {
  return [
    protocol && t(`statistics.route.${protocol}`),
    isRelayed && t('statistics.route.relay'),
    rttMs !== null && t('statistics.rtt', { ms: new Intl.NumberFormat(locale).format(rttMs) }),
  ]
    .filter(Boolean)
    .join(SEPARATOR)
}

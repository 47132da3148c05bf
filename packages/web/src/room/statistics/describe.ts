import type { TFunction } from 'i18next'
import type { RouteStatistics, StreamStatistics } from '../../call/media/read-stats.ts'

/** Lines break between the parts only: no number is separated from its unit. */
const joinParts = (parts: readonly (string | false | null | undefined)[]): string =>
  parts
    .filter(part => part)
    .map(part => String(part).replaceAll(' ', '\u{a0}'))
    .join(' · ')

/** One line about a stream, with what is known: rate, loss, resolution, codec. */
export function describeStream(
  { kbps, lossPercent, resolution, codec }: StreamStatistics,
  t: TFunction,
  locale: string,
): string {
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  return joinParts([
    kbps !== null && t('statistics.kbps', { kbps: number.format(kbps) }),
    lossPercent !== null && t('statistics.loss', { percent: number.format(lossPercent) }),
    // Width before height, also in languages from right to left.
    resolution && `\u2066${resolution.width}×${resolution.height}\u2069`,
    resolution?.fps != null && t('statistics.fps', { fps: number.format(resolution.fps) }),
    codec,
  ])
}

/** One line about the way of the packets: the route and how long they take. */
export function describeRoute(
  { rttMs, protocol, isRelayed }: RouteStatistics,
  t: TFunction,
  locale: string,
): string {
  return joinParts([
    protocol && t(`statistics.route.${protocol}`),
    isRelayed && t('statistics.route.relay'),
    rttMs !== null && t('statistics.rtt', { ms: new Intl.NumberFormat(locale).format(rttMs) }),
  ])
}

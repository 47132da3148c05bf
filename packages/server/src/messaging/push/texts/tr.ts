import type { PushTexts } from './types.ts'

export const tr: PushTexts = {
  call: 'Gelen arama',
  videoCall: 'Gelen görüntülü arama',
  missedCall: 'Cevapsız arama',
  answeredElsewhere: 'Başka bir cihazda yanıtlandı',
  declinedElsewhere: 'Başka bir cihazda reddedildi',
  contactRequest: 'Kişi isteği',
  test: 'Bildirimler bu cihazda çalışıyor.',
}

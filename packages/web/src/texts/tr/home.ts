export const home = {
  navigation: 'Ana gezinme',
  back: 'Geri',
  pages: {
    conversations: 'Sohbetler',
    contacts: 'Kişiler',
    calls: 'Aramalar',
    meetings: 'Toplantılar',
    recordings: 'Kayıtlar',
    settings: 'Ayarlar',
    admin: 'Yönetim',
  },
  unread: '{{page}}, okunmamış: {{number}}',
  connection: {
    offline: 'İnternet bağlantınız yok. Bağlantı geri geldiğinde mesajlar gönderilir.',
    reconnecting: 'Bağlantı koptu. Yeniden bağlanılıyor…',
    outdated: 'Sunucu güncellendi. Devam etmek için sayfayı yenileyin.',
    reload: 'Sayfayı yenile',
  },
}

export const overview = {
  title: 'Başlat veya katıl',
  missed: 'Cevapsız aramalar',
  recordings: 'Son kayıtlar',
}

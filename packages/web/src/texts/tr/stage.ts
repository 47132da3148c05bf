/** The stage: layouts and pages. */
export const stage = {
  page: 'Sayfa {{page}}/{{pages}}',
  previous: 'Önceki sayfa',
  more: '+{{number}}',
  layout: {
    title: 'Görünüm',
    webinar: 'Otomatik',
    webinarText: 'Üç kişiden itibaren konuşan kişi büyük görünür.',
    grid: 'Izgara',
    gridText: 'Herkes aynı boyutta, sayfa başına en fazla 49 kişi.',
    speaker: 'Konuşmacı',
    speakerText: 'Konuşan kişi büyük görünür.',
    presentation: 'Sunum',
    presentationText: 'Paylaşılan ekran veya moderatör büyük görünür, yanında birkaç kişi yer alır.',
    presentationText_teacher: 'Paylaşılan ekran veya öğretmen büyük görünür, yanında birkaç kişi yer alır.',
  },
  ownView: 'Kendi görüntümü bana göster',
  moveOwnView: 'Başka bir köşeye taşımak için sürükleyin veya bir ok tuşuna basın.',
  reconnecting: 'Yeniden bağlanıyor…',
  hand: '{{name}} el kaldırdı, sıra {{number}}',
  zoom: {
    title: 'Ekranın boyutu',
    in: 'Yakınlaştır',
    out: 'Uzaklaştır',
    fit: 'Sığdır',
  },
}

export const network = {
  receivesReduced: 'Bağlantınız yavaş: videolar daha düşük kalitede geliyor.',
  receivesSome: 'Bağlantınız yavaş: bazı videolar gelmiyor.',
  receivesScreen: 'Bağlantınız yavaş: yalnızca ses ve ekran geliyor.',
  receivesAudio: 'Bağlantınız yavaş: yalnızca ses geliyor.',
  sendsReduced: 'Bağlantınız yavaş: diğerleri sizi daha düşük kalitede görüyor.',
  sendsScreen: 'Bağlantınız yavaş: diğerlerine sesiniz ve ekranınız ulaşıyor, kameranız ulaşmıyor.',
  losesPackets: 'Bağlantınız veri kaybediyor: ses ve görüntü takılabilir.',
  interrupted: 'Ses bir an kesildi.',
}

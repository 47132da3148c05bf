export const network = {
  receivesReduced: 'Votre connexion est lente : les vidéos arrivent en qualité réduite.',
  receivesSome: 'Votre connexion est lente : certaines vidéos n’arrivent pas.',
  receivesScreen: 'Votre connexion est lente : seuls le son et l’écran arrivent.',
  receivesAudio: 'Votre connexion est lente : seul le son arrive.',
  sendsReduced: 'Votre connexion est lente : les autres vous voient en qualité réduite.',
  sendsScreen:
    'Votre connexion est lente : les autres reçoivent votre son et votre écran, mais pas votre caméra.',
  losesPackets: 'Votre connexion perd des données : le son et l’image peuvent saccader.',
  interrupted: 'Le son s’est arrêté un instant.',
}

/** Texts of the landing page; `sides` has the texts for sellers and for buyers. */
export const landingTexts = {
  logIn: 'Log In',
  getStarted: 'Get Started',
  downloadApp: 'Download App',
  createAccount: 'Create Free Account',
  signIn: 'Sign In',
  title: 'Sell your car to someone you trust',
  description:
    'Share a link with your buyer, agree on the price, and sign one agreement. Sellers pay no fees and keep 100% of the proceeds.',
  switcher: 'I am here to',
  selling: 'Sell a car',
  buying: 'Buy a car',
  signedIn: { dashboard: 'Go to your dashboard', toCar: 'Continue to the car' },
  sides: {
    selling: {
      headline: 'Sell your car to someone you trust.',
      lead: 'List it by its VIN, share a link or QR code with your buyer, and go through a guided sale together.',
      stepsTitle: 'How selling works',
      steps: [
        {
          title: 'List the car by its VIN',
          text: 'Make, model, year and trim are filled in for you.',
          screen: 'add-car',
        },
        {
          title: 'Share the link or the QR code',
          text: 'With the person you want to sell to.',
          screen: 'share',
        },
        {
          title: 'Confirm your buyer and the price',
          text: 'You see every request before you decide.',
          screen: 'confirm',
        },
        {
          title: 'Sign, and the dealer takes over',
          text: 'A dealer group partner takes it from there.',
          screen: 'sign-selling',
        },
      ],
      claims: [
        {
          figure: '100%',
          title: 'of the proceeds are yours',
          text: 'Sellers pay no fees.',
          from: 'Keyturn takes no money from either of you and holds none.',
          proof: 'cost',
          toProof: 'What Keyturn costs',
        },
        {
          figure: '8 to 15%',
          title: 'higher prices',
          text: 'What private sellers get for their cars.',
          from: 'Keyturn’s own figure, not a promise: it depends on the car and on the two of you.',
        },
        {
          figure: '72 hours',
          title: 'held for one buyer',
          text: 'One buyer, one price, one agreement. Nobody gets in between.',
          from: 'The agreement that both of you sign.',
          proof: 'hold',
          toProof: 'Read the clause',
        },
      ],
      route: {
        seller: 'You',
        sellerText: 'Bring a photo ID, the title, every key and the registration.',
        buyer: 'Your buyer',
        buyerText: 'Brings a photo ID and proof of insurance.',
        aside: 'Your lender, if you still owe',
        title: 'It goes from you to the dealer and then to your buyer, never through Keyturn’s hands.',
        money:
          'Your buyer pays the dealer, and the dealer pays you. The dealer decides when and how: settle it before the car changes hands.',
        loan: 'If you still owe money on the car, that loan is paid off first. Only then does your lender release the title.',
      },
    },
    buying: {
      headline: 'Buy from a person you know.',
      lead: 'Open the link your seller shared, add a trade-in or financing, and go step by step to an agreement you both sign.',
      stepsTitle: 'How buying works',
      steps: [
        {
          title: 'Open your seller’s link',
          text: 'See the car and who sells it before you sign up.',
          screen: 'car',
        },
        {
          title: 'Tell us what you bring',
          text: 'A trade-in, a financing request, or neither.',
          screen: 'trade',
        },
        {
          title: 'Send your price',
          text: 'The seller confirms it, or you agree on another one.',
          screen: 'price',
        },
        {
          title: 'Sign, and the dealer takes over',
          text: '300 dealer locations can complete your sale.',
          screen: 'sign-buying',
        },
      ],
      claims: [
        {
          figure: '$0',
          title: 'platform fees',
          text: 'You pay the price you agreed on with your seller.',
          from: 'Keyturn takes no money. The dealer tells you which taxes and fees it adds.',
          proof: 'cost',
          toProof: 'What Keyturn costs',
        },
        {
          figure: '46 states*',
          title: 'with a tax credit for trade-ins',
          text: 'Trade in a car and pay less sales tax.',
          from: 'Each offer shows yours.',
          note: (states: number) =>
            `* An estimate, which varies by state: our own tables give it in ${states}.`,
        },
        {
          figure: '3 hours',
          title: 'to an offer on your trade-in',
          text: 'Wholesalers make an offer, and you see the tax credit with it.',
          from: 'Counted from the moment you submit your trade.',
        },
      ],
      route: {
        seller: 'Your seller',
        sellerText: 'Brings a photo ID, the title, every key and the registration.',
        buyer: 'You',
        buyerText: 'Bring a photo ID and proof of insurance.',
        aside: 'Your credit application',
        title:
          'It goes from your seller to the dealer, and from there to you. If your seller still owes money on the car, that loan is paid off first.',
        money:
          'You pay the dealer, and the dealer pays your seller. Keyturn takes none of it and holds none of it.',
        loan: 'If you ask for financing, you apply for credit with the dealer group, which decides on the loan and its rate.',
      },
    },
  },
  proofsLabel: 'What you can check',
  proofs: [
    { text: 'Sellers pay no fees, buyers no platform fees', to: '#cost' },
    { text: 'Read the agreement before you sign up', to: '#sheet' },
    { text: 'Anyone can check a signed agreement', to: '/verify' },
  ],
  claimsTitle: 'Our claims, with sources',
  from: 'Source:',
  claimsOfBoth: [
    {
      figure: '300',
      title: 'dealer locations',
      text: 'To complete your sale.',
      from: 'The dealer group partner sets a day and place with both of you.',
    },
    {
      figure: null,
      title: 'Identity, ownership and title verified',
      text: 'Our dealer partner checks the seller’s identity, the owner and the title.',
      from: 'The dealer partner, which buys the car and resells it. Keyturn verifies email addresses only.',
    },
  ],
  route: {
    title: 'Where the title, the money and a loan go',
    lead: 'Once both of you have signed, a national dealer group partner buys the car from the seller and resells it to the buyer.',
    dealer: 'The dealer',
    dealerText: 'Sets a day and place with both of you.',
    short: { title: 'Title', money: 'Money' },
    lanes: { title: 'The title', money: 'The money', loan: 'A loan' },
  },
  sheet: {
    title: 'Read what you would sign',
    text: 'The example has the whole text as it is signed today. The car and the people are made up.',
    open: 'Open an example',
    close: 'Close the example',
    mark: 'Example',
    picture: {
      label: 'A drawing of a signed agreement: one car, one price, two signatures.',
      lines: [
        { term: 'Vehicle', value: '2003 Honda Accord EX' },
        { term: 'Agreed price', value: '$9,500' },
      ],
      seller: 'Seller',
      buyer: 'Buyer',
    },
  },
  testimonials: {
    title: 'What people say',
    sample: 'Sample',
    sampleHint: 'These are samples. Nobody has said this yet.',
    stars: (stars: number) => `${stars} of 5 stars`,
  },
  faqTitle: 'Questions people ask first',
  faqs: [
    {
      id: 'cost',
      question: 'What does Keyturn cost?',
      answer: 'Nothing for sellers, who keep 100% of the proceeds, and no platform fees for buyers.',
    },
    {
      question: 'Who signs with whom?',
      answer:
        'Seller and buyer sign with each other. A national dealer group partner then buys the car from the seller and resells it to the buyer. Keyturn only facilitates.',
    },
    {
      question: 'Can I trade in my old car?',
      answer:
        'Yes. Tell us about it, and wholesalers make an offer, usually within 3 hours. You accept it, reject it or counter with your own price.',
    },
    {
      question: 'What are the 72 hours?',
      answer:
        'Once the seller has signed, the car is not sold to anybody else for 72 hours while the buyer completes the purchase.',
    },
  ],
  moreAnswers: 'More answers',
  app: {
    title: 'Keep Keyturn handy',
    text: 'No app store needed: your browser adds Keyturn to your home screen.',
    iphone: {
      title: 'On an iPhone or iPad',
      entry: 'Add to Home Screen',
      steps: ['Open this page in Safari.', 'Tap Share.', 'Choose Add to Home Screen.'],
    },
    others: {
      title: 'On Android or a computer',
      entry: 'Install app',
      steps: [
        'Open this page in Chrome or Edge.',
        'Open the menu at the top.',
        'Choose Install app or Add to Home screen.',
      ],
    },
  },
  closing: {
    title: 'Ready when you are',
    text: 'An account is free, and nothing is binding until you sign.',
  },
  contact: 'A question? A car listed without asking you? Write to',
  email: 'hello@keyturn.example',
  byMail: (address: string) => `. By mail: ${address}`,
} as const

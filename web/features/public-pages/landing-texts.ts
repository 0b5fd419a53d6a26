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
      lead: 'List it by its VIN, share a link or QR code with your buyer, and go together through a guided sale to an agreement that both of you sign.',
      stepsTitle: 'How selling works',
      steps: [
        {
          title: 'List the car by its VIN',
          text: 'Make, model, year and trim fill themselves in.',
          screen: 'add-car',
        },
        {
          title: 'Share the link or the QR code',
          text: 'With the one person you mean to sell to.',
          screen: 'share',
        },
        {
          title: 'Confirm your buyer and the price',
          text: 'You see every request before you decide.',
          screen: 'confirm',
        },
        {
          title: 'Sign, and the deal is passed on',
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
          from: 'Keyturn’s own figure, and no promise: what your car brings depends on the car and on the two of you.',
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
        title:
          'It goes from you to the dealer, and from there to your buyer, and never through Keyturn’s hands.',
        money:
          'Your buyer pays the dealer, and the dealer pays you. When and how is for the dealer to say: settle it before the car changes hands.',
        loan: 'If you still owe money on the car, that loan is paid off first. Your lender releases the title then, and not before.',
      },
    },
    buying: {
      headline: 'Buy from a person you know.',
      lead: 'Open the link your seller shared, bring your trade-in and your financing request, and go step by step to an agreement that both of you sign.',
      stepsTitle: 'How buying works',
      steps: [
        {
          title: 'Open your seller’s link',
          text: 'See the car and who sells it before you sign up.',
          screen: 'car',
        },
        {
          title: 'Say what you bring',
          text: 'A trade-in, a financing request, or neither.',
          screen: 'trade',
        },
        {
          title: 'Send your price',
          text: 'The seller confirms it, or you agree on another one.',
          screen: 'price',
        },
        {
          title: 'Sign, and the deal is passed on',
          text: 'With 300 dealer locations to complete it.',
          screen: 'sign-buying',
        },
      ],
      claims: [
        {
          figure: '$0',
          title: 'platform fees',
          text: 'You pay the price you agreed on with your seller.',
          from: 'Keyturn takes no money and holds none. Which taxes and fees the dealer adds is for the dealer to say.',
          proof: 'cost',
          toProof: 'What Keyturn costs',
        },
        {
          figure: '46 states*',
          title: 'with a tax credit for trade-ins',
          text: 'Hand in a trade and pay less sales tax.',
          from: 'Each offer shows the credit for your trade’s ZIP code.',
          note: '* Tax credits vary by state, and what you see is an estimate.',
        },
        {
          figure: '3 hours',
          title: 'to a figure for your trade-in',
          text: 'Wholesalers make an offer, tax credit included.',
          from: 'Counted from the moment you send us your trade. Wholesalers see how long each one has waited.',
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
        loan: 'If you ask for financing, the credit application is made with the dealer group, which decides about the loan and its rate.',
      },
    },
  },
  badgesLabel: 'What you can count on',
  badges: [
    {
      title: 'Both sign the same sheet',
      text: 'One price, one text, two signatures.',
      proof: '#sheet',
      toProof: 'Read the sample',
    },
    {
      title: 'Anyone can check a signed agreement',
      text: 'Whether a single word was changed since, without an account.',
      proof: '/verify',
      toProof: 'Check one',
    },
    {
      title: '72-hour hold',
      text: 'Once the seller has signed, nobody else can buy the car for 72 hours.',
      proof: '#hold',
      toProof: 'Read the clause',
    },
    {
      title: '$0 fees',
      text: 'Nothing for sellers, no platform fees for buyers.',
      proof: '#cost',
      toProof: 'What Keyturn costs',
    },
  ],
  claimsTitle: 'What we say, and where it comes from',
  from: 'Where this comes from:',
  claimsOfBoth: [
    {
      figure: '300',
      title: 'dealer locations',
      text: 'To complete your sale.',
      from: 'The locations of the dealer group partner, which agrees on a day and a place with both of you.',
    },
    {
      figure: null,
      title: 'Identity, ownership and title verified',
      text: 'By our dealer partner, which buys the car and resells it: it checks who sells, who owns the car and whether the title is clear.',
      from: 'The dealer partner does this, not Keyturn, which verifies email addresses and nothing else.',
    },
  ],
  route: {
    title: 'Where the title, the money and a loan go',
    lead: 'Once both of you have signed, a national dealer group partner buys the car from the seller and resells it to the buyer.',
    dealer: 'The dealer',
    dealerText: 'Agrees on a day and a place with both of you.',
    short: { title: 'Title', money: 'Money' },
    lanes: { title: 'The title', money: 'The money', loan: 'A loan' },
  },
  sheet: {
    title: 'Read what you would sign',
    text: 'One sheet for both sides, with the price, what is left to pay and five numbered sections. This is the whole text as it is signed today; the car and the people are made up.',
    open: 'Open the sample agreement',
    close: 'Close the sample agreement',
    mark: 'Sample',
    picture: {
      label: 'A drawing of a signed agreement: one car, one price, two signatures.',
      lines: [
        { term: 'Vehicle', value: '2003 Honda Accord EX' },
        { term: 'Mileage', value: '98,400 miles' },
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
      question: 'Can I hand in my old car?',
      answer:
        'Yes. Tell us about it, and wholesalers make an offer, usually within 3 hours. You accept it, reject it or name your own figure.',
    },
    {
      question: 'What are the 72 hours?',
      answer:
        'Once the seller has signed, the car is not sold to anybody else for 72 hours while the buyer completes the purchase.',
    },
  ],
  moreAnswers: 'More answers',
  app: {
    title: 'Keep Keyturn at hand',
    text: 'There is nothing to get from a store. Your browser puts Keyturn on your home screen, where it opens like any other app.',
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
    text: 'An account is free, and nothing is binding until both of you sign.',
  },
  contact: {
    title: 'Contact',
    text: 'Do you have a question about a sale, or has someone listed your car without asking you? Write to us.',
    email: 'hello@keyturn.example',
  },
} as const

// Made by `npm run statements` from version 0.1.0. Do not edit: the compiler says whether
// this version reads it.
import type { TaskResult, WorkSpec } from '@guise/server/tasks/task.ts';

/** Work of tasks that processes of that version create. */
export const RELEASED_WORK = [
  {
    kind: 'detect-faces',
    images: [
      {
        field: 'image',
        objectKey: 'inputs/9948ee00-b94d-45e0-bfad-b4235d45b524',
        fileName: 'photo.jpg',
        contentType: 'image/jpeg',
        sizeBytes: 1000,
        sha256: 'db23a98df21fd964fdc287f6a3bb88ecf004af920437e0784d9c6444f9914b37',
        width: 640,
        height: 480,
      },
    ],
  },
  {
    kind: 'swap-batch',
    items: [
      {
        source: {
          field: 'sourceImages[0]',
          objectKey: 'in/aa/bde89b6a92ab60474a7022772cd72d67d74657b9f10b01.jpg',
          fileName: 'a.jpg',
          contentType: 'image/jpeg',
          sizeBytes: 56,
          sha256: '31b1f100473fdc5c58529d267053eeca6ee399684bc59107db3926202f2492fa',
          width: 256,
          height: 256,
        },
        target: {
          field: 'targetImages[1]',
          objectKey: 'in/34/7dd185c5da24436cef447b59adddbfcc43822b13669c13.jpg',
          fileName: 'a.jpg',
          contentType: 'image/jpeg',
          sizeBytes: 32320,
          sha256: '4f0cef255172491dab8b9271f3e17d9438efb7dfb255213377d8c6836dca933c',
          width: 256,
          height: 256,
        },
      },
    ],
    restore: {
      faceRestoreVisibility: 1,
      restoreVisibility: 1,
    },
  },
  {
    kind: 'swap-batch',
    items: [
      {
        source: {
          field: 'source_image',
          objectKey: 'in/32/1d1b3b9bee48a4bc6dceb33e58db8b3f82ab77fcff5cb7.jpg',
          fileName: 'a.jpg',
          contentType: 'image/jpeg',
          sizeBytes: 8596,
          sha256: '502ce26abcf6c6d418722b2eeb5a0ff9f0b7b104fa937ceab0a415ed19f0a5c8',
          width: 256,
          height: 256,
        },
        target: {
          field: 'target_images[7]',
          url: 'http://no-such-host.invalid/a.png',
        },
      },
    ],
    restore: {
      faceRestoreVisibility: 1,
      restoreVisibility: 1,
    },
    output: {
      format: 'webp',
      maxLongSide: 800,
    },
  },
  {
    kind: 'swap-batch',
    items: [
      {
        source: {
          field: 'source_image',
          objectKey: 'in/1b/5b86ebe62b2b6635c328b0e47353fb6485b2ea4d2c51a2.jpg',
          fileName: 'a.jpg',
          contentType: 'image/jpeg',
          sizeBytes: 10,
          sha256: '3790c36dd5b7fb08b1a488c3059d7fd2a98b148a4b781d7918d6cf3b6178f27e',
          width: 256,
          height: 256,
        },
        target: {
          field: 'target_images[1]',
          url: 'http://127.0.0.1:42321/hang/second',
        },
      },
    ],
    restore: {
      faceRestoreVisibility: 1,
      restoreVisibility: 1,
    },
  },
  {
    kind: 'swap-gif',
    source: {
      field: 'sourceImage',
      width: 64,
      height: 48,
      sha256: '0000000000000000000000000000000000000000000000000000000000000000',
      fileName: 'sourceImage.png',
      sizeBytes: 11,
      contentType: 'image/png',
      objectKey: 'in/75/54e578ff2d22bc1c0849dfb485ebb049363db9179e4923.png',
    },
    target: {
      field: 'targetGif',
      width: 64,
      height: 48,
      sha256: '0000000000000000000000000000000000000000000000000000000000000000',
      fileName: 'targetGif.png',
      sizeBytes: 9,
      contentType: 'image/png',
      durationSeconds: 2.5,
      objectKey: 'in/e3/925b7c8e633baf3ce704ef1460cfa6d271584637da0ed5.png',
    },
    restore: {
      restoreVisibility: 0.6,
      faceRestoreVisibility: 0.8,
    },
  },
  {
    kind: 'swap-group',
    target: {
      field: 'sourceImage',
      width: 64,
      height: 48,
      sha256: '0000000000000000000000000000000000000000000000000000000000000000',
      fileName: 'sourceImage.png',
      sizeBytes: 11,
      contentType: 'image/png',
      objectKey: 'in/93/052aee3bfb17758ae34eac9d7f280d506e0e907282fd04.png',
    },
    restore: {
      restoreVisibility: 0.6,
      faceRestoreVisibility: 0.8,
    },
    replacements: [
      {
        box: {
          x: 1,
          y: 2,
          name: 'faceBox0',
          width: 30,
          height: 30,
        },
        source: {
          field: 'targetFace0',
          width: 64,
          height: 48,
          sha256: '0000000000000000000000000000000000000000000000000000000000000000',
          fileName: 'targetFace0.png',
          sizeBytes: 11,
          contentType: 'image/png',
          objectKey: 'in/e4/e6655d1ecebe916f0a4a89bd8daa6ba6692e8e9a4f6219.png',
        },
      },
    ],
  },
  {
    kind: 'swap-image',
    source: {
      field: 'source_image',
      objectKey: 'in/9c/c3a19fa4fb5c29b9cd9b6ce76298fa500679f9c13997b6.jpg',
      fileName: 'a.jpg',
      contentType: 'image/jpeg',
      sizeBytes: 8596,
      sha256: '502ce26abcf6c6d418722b2eeb5a0ff9f0b7b104fa937ceab0a415ed19f0a5c8',
      width: 256,
      height: 256,
    },
    target: {
      field: 'target_image',
      objectKey: 'in/13/4cecf0a8a0e35c0d29adfecd0f77d9d48f8ab91e881d6f.jpg',
      fileName: 'a.jpg',
      contentType: 'image/jpeg',
      sizeBytes: 32320,
      sha256: '4f0cef255172491dab8b9271f3e17d9438efb7dfb255213377d8c6836dca933c',
      width: 256,
      height: 256,
    },
    restore: {
      faceRestoreVisibility: 1,
      restoreVisibility: 1,
    },
    faceIndex: 0,
    output: {
      format: 'webp',
      maxLongSide: 1000,
    },
  },
  {
    kind: 'swap-image',
    source: {
      field: 'source_image',
      objectKey: 'in/13/eecc1a26b07c5a75909eb7d8bb8a9a424477ea79ecdfda.jpg',
      fileName: 'a.jpg',
      contentType: 'image/jpeg',
      sizeBytes: 8596,
      sha256: '502ce26abcf6c6d418722b2eeb5a0ff9f0b7b104fa937ceab0a415ed19f0a5c8',
      width: 256,
      height: 256,
    },
    target: {
      field: 'target_image',
      objectKey: 'in/e2/4c5cce99c4a77973f9f6bb261cfb52dccd5214687c4d60.jpg',
      fileName: 'a.jpg',
      contentType: 'image/jpeg',
      sizeBytes: 32320,
      sha256: '4f0cef255172491dab8b9271f3e17d9438efb7dfb255213377d8c6836dca933c',
      width: 256,
      height: 256,
    },
    restore: {
      faceRestoreVisibility: 1,
      restoreVisibility: 1,
    },
    faceIndex: 7,
  },
  {
    kind: 'swap-image',
    source: {
      field: 'source_image',
      fileName: 'source_image',
      sizeBytes: 93,
      sha256: 'a30d36bbafb83bf93bca974f266b4813ed4364f863c000f4d6322d30a13329c5',
      contentType: 'image/png',
      width: 8,
      height: 8,
      objectKey: 'in/44/18dc7de8733d95986a23d95e7cebeef5a5ad0a939c0092.png',
    },
    target: {
      field: 'target_image',
      fileName: 'target_image',
      sizeBytes: 93,
      sha256: 'a30d36bbafb83bf93bca974f266b4813ed4364f863c000f4d6322d30a13329c5',
      contentType: 'image/png',
      width: 8,
      height: 8,
      objectKey: 'in/b2/aee74fd447e2c0f88791778577999bdcfff0e6db02a6ed.png',
    },
    restore: {
      faceRestoreVisibility: 1,
      restoreVisibility: 1,
    },
    output: {
      format: 'png',
      maxLongSide: 1920,
    },
  },
  {
    kind: 'swap-image',
    source: {
      field: 'sourceImage',
      objectKey: 'inputs/2619dd43-6898-4761-abc5-f67abdc95d28',
      fileName: 'photo.jpg',
      contentType: 'image/jpeg',
      sizeBytes: 1000,
      sha256: '269fd6c53a9638c660d5154bb4557cd8bcd8a18722c765f63a95ad224a336a7d',
      width: 640,
      height: 480,
    },
    target: {
      field: 'targetImage',
      objectKey: 'inputs/9b53f933-3542-4198-9dca-e770fe9dd7db',
      fileName: 'photo.jpg',
      contentType: 'image/jpeg',
      sizeBytes: 1000,
      sha256: 'e76ede432a82b33a2edfe6a31ca7c4d0e42d23e57512f483b93627c92925b994',
      width: 640,
      height: 480,
    },
    restore: {
      faceRestoreVisibility: 1,
      restoreVisibility: 1,
    },
  },
  {
    kind: 'swap-video',
    source: {
      field: 'source_image',
      objectKey: 'in/52/7f3b20cf2e5fd6f549f4801626c8826f9b7dec68f15d11.jpg',
      fileName: 'a.jpg',
      contentType: 'image/jpeg',
      sizeBytes: 32320,
      sha256: '4f0cef255172491dab8b9271f3e17d9438efb7dfb255213377d8c6836dca933c',
      width: 256,
      height: 256,
    },
    target: {
      field: 'target_video',
      objectKey: 'in/84/0edcffb6e190c7c8e962df893a3edb50b2a5f075060180.jpg',
      fileName: 'a.jpg',
      contentType: 'video/mp4',
      sizeBytes: 99124,
      sha256: '46ebbc27737ea0b4e73142aeb1ac0d301ddf5e1a183d51b1e55bae3a53beedd3',
      width: 256,
      height: 256,
    },
    restore: {
      faceRestoreVisibility: 1,
      restoreVisibility: 1,
    },
    container: 'mov',
    size: {
      maxLongSide: 320,
    },
  },
  {
    kind: 'swap-video',
    source: {
      field: 'source_image',
      objectKey: 'in/5c/0bdf45750b6776892d21f5a304b8f5c31380181b0401a6.jpg',
      fileName: 'a.jpg',
      contentType: 'image/jpeg',
      sizeBytes: 32320,
      sha256: '4f0cef255172491dab8b9271f3e17d9438efb7dfb255213377d8c6836dca933c',
      width: 256,
      height: 256,
    },
    target: {
      field: 'target_video',
      objectKey: 'in/31/9ccc4527448ed1da79e29fb0e2c4282b0b1d0b7a7bd4bf.jpg',
      fileName: 'a.jpg',
      contentType: 'video/mp4',
      sizeBytes: 239028,
      sha256: 'ea595caa8be2d2623b95862f404e9686ebfb7b8ef7719384787d303d1bf12b4e',
      width: 256,
      height: 256,
    },
    restore: {
      faceRestoreVisibility: 1,
      restoreVisibility: 1,
    },
    container: 'webm',
    size: {},
  },
  {
    kind: 'swap-video',
    size: {
      maxShortSide: 720,
    },
    source: {
      field: 'sourceImage',
      width: 64,
      height: 48,
      sha256: '0000000000000000000000000000000000000000000000000000000000000000',
      fileName: 'sourceImage.png',
      sizeBytes: 11,
      contentType: 'image/png',
      objectKey: 'in/11/875db02166024c6ac316a8f736dab30455f7253497bd1f.png',
    },
    target: {
      field: 'targetVideo',
      width: 64,
      height: 48,
      sha256: '0000000000000000000000000000000000000000000000000000000000000000',
      fileName: 'targetVideo.png',
      sizeBytes: 11,
      contentType: 'image/png',
      durationSeconds: 4.2,
      objectKey: 'in/6a/c1a7290f0059e584ae8eddda64958cf59e157000aeffdb.png',
    },
    restore: {
      restoreVisibility: 0.6,
      faceRestoreVisibility: 0.8,
    },
  },
] satisfies readonly WorkSpec[];

/** Results that its workers write. */
export const RELEASED_RESULTS = [
  {
    outputs: [],
    failures: [],
    images: [],
  },
  {
    outputs: [],
    failures: [],
    images: [
      {
        field: 'image',
        width: 1,
        height: 1,
        faces: [],
      },
    ],
  },
  {
    outputs: [],
    failures: [],
  },
  {
    outputs: [
      {
        index: 0,
        objectKey: 'outputs/e9525c03-5a23-4a32-b317-4c52e57e1c57',
        contentType: 'image/jpeg',
        width: 640,
        height: 480,
        sizeBytes: 2000,
        sha256: '38b0b42ce1fce75a556b2e5768e431c253fa9e842a1d40188967f6671297627d',
        expiresAt: '2026-11-24T13:09:06.228Z',
      },
    ],
    failures: [],
    receipt: {
      facesFound: 1,
      frames: {
        total: 1,
        swapped: 1,
        passedThrough: 0,
      },
      longestGapFrames: 0,
      engine: {
        name: 'mesh',
        version: '0.1.0',
      },
      identitySimilarity: 0.9,
      credits: 0,
    },
  },
  {
    outputs: [
      {
        index: 0,
        objectKey: 'out/d2/5cdb01192851d52ca6515fa3f8a7b00c0915fe364cdd27.png',
        expiresAt: '2026-11-24T13:13:48.927Z',
        contentType: 'image/png',
        width: 23593,
        height: 1,
        sizeBytes: 1,
        sha256: '',
      },
    ],
    failures: [],
    receipt: {
      facesFound: 1,
      frames: {
        total: 2,
        swapped: 1,
        passedThrough: 0,
      },
      longestGapFrames: 0,
      engine: {
        name: 'scripted',
        version: '1',
      },
      identitySimilarity: null,
      credits: 0,
    },
  },
  {
    outputs: [],
    failures: [
      {
        index: 1,
        code: 'MEDIA_UNREACHABLE',
        message: 'target_images[1] could not be fetched: the server answered with status 404.',
      },
    ],
  },
  {
    outputs: [
      {
        index: 0,
        objectKey: 'out/da/e61ab5fd08c31d4c7da9e08ef8e7c516f2669fd92e8ad9.png',
        expiresAt: '2026-11-24T13:13:42.361Z',
        contentType: 'image/png',
        width: 23480,
        height: 1,
        sizeBytes: 1,
        sha256: '',
      },
    ],
    failures: [
      {
        index: 8,
        code: 'MEDIA_UNREACHABLE',
        message: 'target_images[8] could not be fetched: the servers of this batch take too long together.',
      },
    ],
    receipt: {
      facesFound: 1,
      frames: {
        total: 9,
        swapped: 1,
        passedThrough: 0,
      },
      longestGapFrames: 0,
      engine: {
        name: 'scripted',
        version: '1',
      },
      identitySimilarity: null,
      credits: 3,
    },
  },
] satisfies readonly TaskResult[];

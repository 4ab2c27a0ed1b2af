"""LangChain's splitters beside ours, on the same texts."""

import random

import pytest

theirs = pytest.importorskip("langchain_text_splitters")

from sectile.langchain import RecursiveCharacterTextSplitter  # noqa: E402


def both(texts, **options):
    """Asserts that the documents are the same, their metadata included."""
    own, other = RecursiveCharacterTextSplitter(**options), theirs.RecursiveCharacterTextSplitter(**options)
    metadatas = [{"source": str(at), "list": [at]} for at, _ in enumerate(texts)]
    assert own.create_documents(texts, metadatas) == other.create_documents(texts, metadatas), options


@pytest.mark.parametrize("keep_separator", [True, False, "start", "end"])
@pytest.mark.parametrize("strip_whitespace", [True, False])
@pytest.mark.parametrize("size, overlap", [(100, 0), (200, 40), (1000, 200), (64, 64)])
def test_chunks_of_documents(texts, size, overlap, keep_separator, strip_whitespace):
    both(
        [text[:60_000] for text in texts],
        chunk_size=size,
        chunk_overlap=overlap,
        keep_separator=keep_separator,
        strip_whitespace=strip_whitespace,
        add_start_index=True,
    )


def test_random_texts():
    chance = random.Random(7)
    alphabet = ["a", "b ", " ", "\n", "\n\n", "é", "漢字", "😀", "word ", ". ", ", ", "\t", "\x1c", "\u2028", "-", "xyz" * 5]
    for _ in range(5_000):
        text = "".join(chance.choices(alphabet, k=chance.randint(0, 120)))
        size = chance.randint(1, 60)
        both(
            [text],
            chunk_size=size,
            chunk_overlap=chance.randint(0, size),
            keep_separator=chance.choice([True, False, "start", "end"]),
            strip_whitespace=chance.random() < 0.5,
            add_start_index=chance.random() < 0.5,
            separators=chance.choice([None, ["\n\n", ". ", " ", ""], [" "], ["x", "-"], [""]]),
        )


@pytest.mark.parametrize("language", [language for language in theirs.Language if language.value != "perl"])
def test_languages(texts, language):
    own = RecursiveCharacterTextSplitter.from_language(language, chunk_size=300, chunk_overlap=30)
    try:
        other = theirs.RecursiveCharacterTextSplitter.from_language(language, chunk_size=300, chunk_overlap=30)
    except ValueError:
        pytest.skip("LangChain refuses it")
    for text in texts[:20]:
        assert own.split_text(text[:20_000]) == other.split_text(text[:20_000])


@pytest.mark.parametrize("encoding", ["cl100k_base", "o200k_base"])
def test_tokens(texts, encoding):
    tiktoken = pytest.importorskip("tiktoken")
    try:
        tiktoken.get_encoding(encoding)
    except Exception:
        pytest.skip("tiktoken cannot fetch its vocabulary")
    options = {"chunk_size": 200, "chunk_overlap": 20}
    own = RecursiveCharacterTextSplitter.from_tiktoken_encoder(encoding, **options)
    other = theirs.RecursiveCharacterTextSplitter.from_tiktoken_encoder(encoding, **options)
    for text in texts[:20]:
        assert own.split_text(text[:20_000]) == other.split_text(text[:20_000])


def test_a_length_function_is_called():
    def words(text):
        return len(text.split())

    both(["one two three four five six " * 9], chunk_size=4, chunk_overlap=1, length_function=words)


def test_what_a_length_function_raises_is_raised():
    def fails(text):
        raise LookupError(text)

    splitter = RecursiveCharacterTextSplitter(chunk_size=4, chunk_overlap=0, length_function=fails)
    with pytest.raises(LookupError):
        splitter.split_text("one two three")


def test_exact_places():
    text = "same words. " * 40
    options = {"chunk_size": 30, "chunk_overlap": 10, "add_start_index": True}
    exact = RecursiveCharacterTextSplitter(**options, exact_start_index=True)
    places = [document.metadata["start_index"] for document in exact.create_documents([text])]
    assert places == sorted(set(places))
    for document, place in zip(exact.create_documents([text]), places):
        assert text[place:].startswith(document.page_content)


@pytest.mark.parametrize("size, overlap", [(0, 0), (-1, 0), (5, 6), (5, -1)])
def test_sizes_that_cannot_be(size, overlap):
    with pytest.raises(ValueError):
        RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=overlap)


def test_it_is_a_splitter_of_langchain():
    splitter = RecursiveCharacterTextSplitter()
    assert isinstance(splitter, theirs.TextSplitter)
    document = splitter.transform_documents(theirs.RecursiveCharacterTextSplitter().create_documents(["a"], [{"b": 1}]))
    assert document[0].metadata == {"b": 1}

"""What Canvas and Moodle pack is taken as it is, and nobody's work is lost.

The names are as the platforms' own sources build them: Canvas's
`content_zipper.rb`, Moodle's `mod/assign/classes/downloader.php`.
"""

import io
import os
import stat
import zipfile

import pytest

from pegasos_edu.grading import __main__ as command
from pegasos_edu.grading.taken_in import archives, collect, downloads
from pegasos_edu.grading.terms.roster import Student

posix = pytest.mark.skipif(os.name == "nt", reason="links need rights there")


def student(number, first, last, **columns):
    line = {
        "id": f"s{number}",
        "Student": f"{last}, {first}",
        "ID": f"{number}",
        "First name": first,
        "Last name": last,
    }
    return Student(f"s{number}", {**line, **columns})


ROSTER = [
    student(57, "Ada", "Lovelace"),
    student(58, "Jörg", "O'Brien-Müller"),
    student(59, "Ève", "Noël"),
]


def put(folder, *names):
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name, "utf-8")
    return folder


def zipped(path, *names, text=None):
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, text or name)
    return path


def look(tmp_path, submissions, roster=(), assignment="a1"):
    """student -> Submission, and what was said."""
    place = tmp_path / "place"
    place.mkdir()
    found, said = downloads.handed_in(submissions, list(roster), place)
    names = [one.student for one in found]
    assert len(set(names)) == len(names)
    return {
        one.student: collect.find_submission(one, assignment) for one in found
    }, said


WANTED = "expected the file itself"
CANVAS = [
    "lovelaceada_57_901_A1.ipynb",
    "obrienmüllerjörg_LATE_58_902_a1 (1).ipynb",
    "noëlève_59_903_a1.ipynb",
    "noëlève_59_977_a1-1.ipynb",
]


def test_a_download_of_canvas_is_taken(tmp_path):
    found, said = look(tmp_path, put(tmp_path / "in", *CANVAS), ROSTER)
    assert said == []
    assert {who: one.path.name for who, one in found.items()} == {
        "s57": CANVAS[0],
        "s58": CANVAS[1],
        "s59": CANVAS[3],
    }
    assert found["s57"].note == "A1.ipynb was graded"
    assert found["s58"].note.endswith("; the platform says that it came late")
    assert found["s59"].note == "a1-1.ipynb was graded, not a1.ipynb"


def test_without_a_roster_the_file_says_who_it_is(tmp_path):
    found, said = look(tmp_path, put(tmp_path / "in", *CANVAS))
    assert said == []
    assert sorted(found) == [
        "lovelaceada_57",
        "noëlève_59",
        "obrienmüllerjörg_58",
    ]


def test_anonymous_files_of_canvas_are_told_apart(tmp_path):
    names = ["anon_x7Ua1_1_a1.ipynb", "LATE_anon_3bQ9z_2_a1.ipynb"]
    found, _ = look(tmp_path, put(tmp_path / "in", *names))
    assert sorted(found) == ["anon_3bQ9z", "anon_x7Ua1"]
    assert "late" in found["anon_3bQ9z"].note


def test_of_canvas_the_number_counts_and_not_the_name(tmp_path):
    """Two of one name; and one who changed the name."""
    names = ["lovelaceada_57_1_a1.ipynb", "lovelaceada_99_2_a1.ipynb"]
    names.append("x_58_3_a1.ipynb")
    found, said = look(tmp_path, put(tmp_path / "in", *names), ROSTER)
    assert sorted(found) == ["lovelaceada_99", "s57", "s58"]
    assert all(one.path for one in found.values())
    (sentence,) = said
    assert sentence.startswith("lovelaceada_99: nobody in the roster has")


@pytest.mark.parametrize(
    "shown", ["58_2_a1.ipynb", "_58_2_a1.ipynb", "LATE_58_2_a1.ipynb"]
)
def test_nobody_names_a_file_as_another_students(tmp_path, shown):
    """What a student calls a file stands behind what Canvas writes."""
    names = [f"lovelaceada_57_1_{shown}", CANVAS[1]]
    found, _ = look(tmp_path, put(tmp_path / "in", *names), ROSTER)
    assert found["s58"].path.name == CANVAS[1]
    assert found["s57"].path.name == names[0]


@pytest.mark.parametrize("end", ["", "_"])
def test_a_download_of_moodle_is_taken(tmp_path, end):
    folder = put(
        tmp_path / "in",
        f"Ada Lovelace_1234_assignsubmission_file{end}/A1.ipynb",
        f"Ada Lovelace_1234_assignsubmission_onlinetext{end}/onlinetext.html",
        f"Jörg OBrien-Müller_1235_assignsubmission_file{end}/deep/a1.ipynb",
    )
    found, said = look(tmp_path, folder, ROSTER)
    assert said == []
    assert sorted(found) == ["s57", "s58"]
    assert found["s57"].path.name == "A1.ipynb"
    assert found["s58"].path.name == "a1.ipynb"


def test_moodle_packs_flat_too(tmp_path):
    name = "Ève Noël_77_assignsubmission_file_a1.ipynb"
    found, _ = look(tmp_path, put(tmp_path / "in", name), ROSTER)
    assert found["s59"].path.name == name


def test_a_name_spelt_as_a_mac_spells_it_is_the_same(tmp_path):
    name = "E\u0300ve Noe\u0308l_77_assignsubmission_file_/a1.ipynb"
    found, _ = look(tmp_path, put(tmp_path / "in", name), ROSTER)
    assert sorted(found) == ["s59"]


def test_names_that_differ_in_a_vowel_are_not_the_same(tmp_path):
    """Kamal and Kamala; in their script the last a is a mark."""
    kamal, kamala = "कमल शाह", "कमला शाह"
    name = "{}_77_assignsubmission_file_/a1.ipynb"
    roster = [student(61, *kamal.split())]
    folder = put(tmp_path / "in", name.format(kamala))
    found, said = look(tmp_path, folder, roster)
    assert sorted(found) == [kamala]
    assert "nobody in the roster has this name" in said[0]
    (tmp_path / "place").rename(tmp_path / "before")
    found, said = look(tmp_path, put(folder, name.format(kamal)), roster)
    assert sorted(found) == ["s61", kamala] and len(said) == 1


def test_moodles_numbers_differ_from_assignment_to_assignment(tmp_path):
    folder = put(
        tmp_path / "in",
        "Ada Lovelace_1_assignsubmission_file_/a1.ipynb",
        "Ada Lovelace_9_assignsubmission_file_/a2.ipynb",
    )
    found, said = look(tmp_path, folder, ROSTER)
    assert sorted(found) == ["s57"] and said == []
    assert found["s57"].path.name == "a1.ipynb"


def test_a_text_beside_each_notebook_makes_no_second_person(tmp_path):
    packed = "Ada Lovelace_{}_assignsubmission_{}"
    names = [
        packed.format(number, f"{kind}_/{name}")
        for number, notebook in ((1, "a1.ipynb"), (9, "a2.ipynb"))
        for kind, name in (
            ("file", notebook),
            ("onlinetext", "onlinetext.html"),
        )
    ]
    names += [packed.format(number, "file_plot.png") for number in (1, 9)]
    found, said = look(tmp_path, put(tmp_path / "in", *names), ROSTER)
    assert sorted(found) == ["s57"] and said == []
    # But of whom there is nothing else, that is somebody.
    (tmp_path / "place").rename(tmp_path / "before")
    text = packed.format(5, "onlinetext_/onlinetext.html")
    found, _ = look(tmp_path, put(tmp_path / "in", text), ROSTER)
    assert sorted(found) == [f"Ada Lovelace_{n}" for n in (1, 5, 9)]


def test_two_of_one_name_are_kept_apart_and_said(tmp_path):
    folder = put(
        tmp_path / "in",
        "Ada Lovelace_1_assignsubmission_file_/a1.ipynb",
        "Ada Lovelace_2_assignsubmission_file_/a1.ipynb",
    )
    found, said = look(tmp_path, folder, ROSTER)
    assert sorted(found) == ["Ada Lovelace_1", "Ada Lovelace_2"]
    assert all(one.path for one in found.values())
    assert "several people of the name Ada Lovelace" in said[0]
    assert len(said) == 3 and "it may be s57" in said[1]


def test_two_of_one_name_in_the_roster_are_not_guessed(tmp_path):
    name = "Ada Lovelace_1_assignsubmission_file_/a1.ipynb"
    roster = [*ROSTER, student(60, "Ada", "Lovelace")]
    found, said = look(tmp_path, put(tmp_path / "in", name), roster)
    assert sorted(found) == ["Ada Lovelace"]
    assert said == [
        "Ada Lovelace: it may be s57 or s60 of the roster; graded under "
        "that name."
    ]


@pytest.mark.parametrize("outer", ["itself", "beside"])
def test_what_is_still_packed_is_unpacked(tmp_path, outer):
    archive = zipped(
        tmp_path / "in" / "course-a1 submissions.zip",
        CANVAS[0],
        "__MACOSX/._" + CANVAS[0],
    )
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as parts:
        parts.writestr("work/A1.ipynb", "in the archive")
    with zipfile.ZipFile(archive, "a") as parts:
        parts.writestr("noëlève_59_9_homework.zip", inner.getvalue())
    place = archive if outer == "itself" else archive.parent
    found, said = look(tmp_path, place, ROSTER)
    assert said == []
    assert found["s57"].path.read_text("utf-8") == CANVAS[0]
    assert found["s59"].path.read_text("utf-8") == "in the archive"
    assert found["s59"].note == "homework.zip/work/A1.ipynb was graded"


def test_an_archive_in_a_students_folder_is_opened(tmp_path):
    zipped(tmp_path / "in" / "ada" / "A1.zip", "A1.ipynb", "photo.png")
    found, said = look(tmp_path, tmp_path / "in")
    assert found["ada"].path.read_text("utf-8") == "A1.ipynb" and said == []


def test_the_newest_in_an_archive_counts(tmp_path):
    path = tmp_path / "in" / "ada" / "A1.zip"
    path.parent.mkdir(parents=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name, year in (("a1 (2).ipynb", 2020), ("a1 (1).ipynb", 2026)):
            archive.writestr(
                zipfile.ZipInfo(name, (year, 1, 1, 0, 0, 0)), "{}"
            )
    found, _ = look(tmp_path, tmp_path / "in")
    assert found["ada"].path.name == "a1 (1).ipynb"


def test_what_an_archive_holds_cannot_harm(tmp_path):
    path = tmp_path / "in" / "ada" / "a1.zip"
    path.parent.mkdir(parents=True)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../../../bob/a1.ipynb", "out")
        archive.writestr("/tmp/a1.ipynb", "out")
        link = zipfile.ZipInfo("a1.ipynb")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("/".join(["d"] * 50) + "/a1.ipynb", "deep")
        archive.writestr("nested/lovelaceada_57_1_a1.ipynb", "mine")
    before = sorted(tmp_path.rglob("*"))
    found, said = look(tmp_path, tmp_path / "in", ROSTER)
    assert sorted(found) == ["ada"]
    assert found["ada"].path.read_text("utf-8") == "mine"
    new = set(tmp_path.rglob("*")) - set(before)
    assert all(path.is_relative_to(tmp_path / "place") for path in new)
    assert not any(path.is_symlink() for path in new)
    assert [line.split("' ")[1] for line in said] == [
        *("leads out of the archive", "leads out of the archive"),
        *("is a link", "has no name for a file"),
    ]


def test_a_file_that_cannot_be_read_costs_no_other(tmp_path):
    """Its content is of a strange kind, beyond the end, damaged; its name
    is longer than a name may be."""
    path = tmp_path / "in" / "all.zip"
    path.parent.mkdir()
    strange = zipfile.ZipInfo("ada_1_1_a1.ipynb")
    strange.compress_type = zipfile.ZIP_LZMA
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(strange, "{}")
        archive.writestr("bob_2_2_a1.ipynb", "the bytes of Bob")
        archive.writestr("cyd_3_3_a1.ipynb", "{}")
        archive.writestr(f"{'d' * 300}_4_4_a1.ipynb", "{}")
        archive.writestr("eve_5_5_a1.ipynb", "eve")
    with zipfile.ZipFile(path) as archive:
        beyond = archive.getinfo("cyd_3_3_a1.ipynb").header_offset
    raw = bytearray(path.read_bytes())
    raw = raw.replace(b"the bytes of Bob", b"the bytes of Bib")
    # After the name: a version, the size of the properties, themselves.
    begin = raw.index(strange.filename.encode()) + len(strange.filename)
    raw[begin + 4 : begin + 9] = b"\xff" * 5
    entry = raw.rindex(b"cyd_3_3_a1.ipynb")  # in the table at the end
    assert int.from_bytes(raw[entry - 4 : entry], "little") == beyond
    raw[entry - 4 : entry] = (len(raw) - 9).to_bytes(4, "little")
    path.write_bytes(raw)
    for submissions in (path, path.parent):
        place = tmp_path / f"place of {submissions.name}"
        found, said = downloads.handed_in(submissions, [], place)
        assert [one.student for one in found] == ["eve_5"]
        assert [line.split("' ")[1][:14] for line in said] == [
            *["cannot be read"] * 3,
            "cannot be writ",
        ]


def test_what_is_cut_off_by_a_full_disk_is_not_graded(tmp_path, monkeypatch):
    path = tmp_path / "a1.ipynb"

    class Full(io.FileIO):
        def write(self, raw):
            super().write(raw[:1])
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(archives, "open", Full, raising=False)
    said = archives.write(path, zipfile.ZipInfo("a1.ipynb"), b"{}")
    assert said == "cannot be written (No space left on device)"
    assert not path.exists()


def test_names_as_windows_writes_them_are_taken(tmp_path):
    path = tmp_path / "in" / "ada" / "homework.zip"
    path.parent.mkdir(parents=True)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("work\\", "")
        archive.writestr("work\\a1: final?.ipynb", "mine")
        archive.writestr("..\\..\\bob\\a1.ipynb", "out")
    found, said = look(tmp_path, tmp_path / "in")
    assert found["ada"].path.read_text("utf-8") == "mine"
    assert len(said) == 1 and said[0].endswith("leads out of the archive")


def test_what_an_editor_keeps_is_no_submission(tmp_path):
    """They sort before the file, and the times are the same."""
    names = [".ipynb_checkpoints/a1_x-checkpoint.ipynb", "._a1_x.ipynb"]
    zipped(tmp_path / "in" / "ada" / "a1.zip", *names, "a1_x.ipynb")
    found, said = look(tmp_path, tmp_path / "in")
    assert found["ada"].path.read_text("utf-8") == "a1_x.ipynb"
    assert found["ada"].note == "a1.zip/a1_x.ipynb was graded" and said == []


def test_what_is_left_out_is_not_a_thousand_lines(tmp_path):
    zipped(tmp_path / "in/ada/a1.zip", *(f"/x{n}" * 99 for n in range(50)))
    found, said = look(tmp_path, tmp_path / "in")
    assert len(said) == downloads.MOST_SAID + 1
    assert said[-1] == "ada/a1.zip: 45 more files are left out"
    assert max(map(len, said)) < 200
    assert found["ada"].problem.endswith("there is a1.zip")


def test_one_student_cannot_fill_the_disk(tmp_path, monkeypatch):
    monkeypatch.setattr(downloads, "LARGEST_OF_ONE", 1000)
    names = ["a1.ipynb", "a2.ipynb", "inner.zip"]
    zipped(tmp_path / "in/ada/a1.zip", *names, text="0" * 600)
    found, said = look(tmp_path, tmp_path / "in")
    assert found["ada"].path.stat().st_size == 600
    assert [line.split(": ")[1] for line in said] == [
        "'a2.ipynb' is too large",
        "'inner.zip' is too large",
    ]


def test_a_student_in_two_archives_is_one(tmp_path):
    zipped(tmp_path / "in" / "first.zip", "ada/a1.ipynb", "bob/a1.ipynb")
    zipped(tmp_path / "in" / "second.zip", "ada/Assignment 2.ipynb")
    found, said = look(tmp_path, tmp_path / "in")
    assert sorted(found) == ["ada", "bob"] and said == []
    assert found["ada"].path.read_text("utf-8") == "ada/a1.ipynb"
    (tmp_path / "place").rename(tmp_path / "before")
    found, _ = look(tmp_path, tmp_path / "in", assignment="a2")
    assert found["ada"].path.read_text("utf-8") == "ada/Assignment 2.ipynb"


def test_two_files_for_one_student_are_kept_apart_and_said(tmp_path):
    """The folder of the same name beside a download; see `one_each`."""
    put(tmp_path / "in", CANVAS[0], "s57/a1.ipynb", "s57 (2)/a1.ipynb")
    found, said = look(tmp_path, tmp_path / "in", ROSTER)
    assert sorted(found) == ["s57", "s57 (2)", "s57 (3)"]
    assert found["s57"].path.read_text("utf-8") == "s57/a1.ipynb"
    assert found["s57 (3)"].path.name == CANVAS[0]
    assert said == ["s57 is there 2 times: graded apart, as s57, s57 (3)."]


def test_a_number_of_the_lecturers_own_is_not_that_of_canvas(tmp_path):
    roster = [Student("57", {"id": "57", "Student": "Curie, Marie"})]
    found, said = look(tmp_path, put(tmp_path / "in", CANVAS[0]), roster)
    assert sorted(found) == ["lovelaceada_57"]
    assert "nobody in the roster has this name" in said[0]


@posix
def test_a_pipe_that_is_called_an_archive_is_not_opened(tmp_path):
    (tmp_path / "in" / "ada").mkdir(parents=True)
    os.mkfifo(tmp_path / "in" / "ada" / "a1.zip")
    found, _ = look(tmp_path, tmp_path / "in")
    assert found["ada"].path is None


def test_an_archive_that_unpacks_to_too_much_is_left(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "LARGEST_NOTEBOOK", 1000)
    zipped(tmp_path / "in/ada/a1.zip", "a1.ipynb", text="0" * 1001)
    found, said = look(tmp_path, tmp_path / "in")
    assert found["ada"].path is None
    assert said == ["ada/a1.zip: 'a1.ipynb' is too large"]


@pytest.mark.parametrize("raw", [b"no zip", b"PK\x03\x04" + b"\0" * 60])
def test_a_damaged_archive_is_said_and_stops_nobody(tmp_path, raw):
    put(tmp_path / "in", CANVAS[0])
    (tmp_path / "in" / "noëlève_59_9_a1.zip").write_bytes(raw)
    found, said = look(tmp_path, tmp_path / "in", ROSTER)
    assert found["s57"].path and found["s59"].path is None
    assert said[0].startswith("noëlève_59_9_a1.zip cannot be read: ")
    assert "a1.ipynb was not handed in" in found["s59"].problem


def test_what_is_called_right_and_is_no_notebook_is_named(tmp_path):
    names = ["lovelaceada_57_1_a1.pdf", "noëlève_59_2_A1.py"]
    put(tmp_path / "in", *names, "bob/a1.pdf", "bob/a2.pdf")
    (tmp_path / "in" / "cyd").mkdir()
    (tmp_path / "in" / "cyd" / "a1.zip").write_bytes(b"no archive")
    found, _ = look(tmp_path, tmp_path / "in", ROSTER)
    assert {who: one.problem.split("; ")[1] for who, one in found.items()} == {
        "bob": "there is a1.pdf",
        "cyd": "there is a1.zip",
        "s57": "there is a1.pdf",
        "s59": "there is A1.py",
    }


def test_a_packed_file_that_is_no_notebook_is_named(tmp_path):
    names = ["lovelaceada_57_1_scan.pdf", "noëlève_59_2_final.ipynb"]
    found, _ = look(tmp_path, put(tmp_path / "in", *names), ROSTER)
    assert found["s57"].problem == (
        "a1.ipynb was not handed in; there is scan.pdf"
    )
    assert found["s59"].problem.endswith("there is final.ipynb")


@posix
def test_a_link_in_a_download_is_not_followed(tmp_path):
    folder = put(tmp_path / "in", CANVAS[0])
    (folder / CANVAS[2]).symlink_to(CANVAS[0])
    place = folder / "Ada Lovelace_1_assignsubmission_file_"
    place.mkdir()
    (place / "a1.ipynb").symlink_to(f"../{CANVAS[0]}")
    found, _ = look(tmp_path, folder)
    assert found["Ada Lovelace"].problem == "a1.ipynb is a link; " + WANTED
    assert found["noëlève_59"].problem == "a1.ipynb is a link; " + WANTED
    assert sorted(found) == ["Ada Lovelace", "lovelaceada_57", "noëlève_59"]


def test_a_students_own_folder_is_no_download(tmp_path):
    """A name in there is what the student wrote."""
    put(tmp_path / "in", "eve/lovelaceada_57_1_a1.ipynb", "s57/a1.ipynb")
    found, _ = look(tmp_path, tmp_path / "in", ROSTER)
    assert sorted(found) == ["eve", "s57"]
    assert found["s57"].path.read_text("utf-8") == "s57/a1.ipynb"


def test_what_is_nobodys_is_listed(tmp_path):
    put(tmp_path / "in", "mystery.ipynb", CANVAS[0])
    _, said = look(tmp_path, tmp_path / "in")
    assert "whose they are: mystery.ipynb" in said[0]


def test_the_command_takes_a_download(tmp_path, monkeypatch, capsys):
    """Up to the grading itself, which other tests look at."""
    put(tmp_path / "in", *CANVAS)
    roster = tmp_path / "roster.csv"
    roster.write_text(
        "Student,ID,SIS Login ID\n"
        '"Lovelace, Ada",57,ada\n"O\'Brien-Müller, Jörg",58,joe\n',
        "utf-8",
    )
    seen = []
    monkeypatch.setattr(
        command, "run", lambda options, course, work: seen.extend(work) or 0
    )
    command.main(
        [
            str(tmp_path / "in"),
            *("--roster", str(roster), "--id", "SIS Login ID"),
            *("--assignment", "a1"),
        ]
    )
    assert [one.student for one in seen] == ["ada", "joe", "noëlève_59"]
    assert "noëlève_59: nobody in the roster" in capsys.readouterr().out


def test_what_lies_beside_the_folders_is_named(tmp_path):
    """Nobody's work is left out in silence, whatever it is packed in."""
    folder = put(tmp_path / "all", "ada/a1.ipynb", "notes.txt")
    zipped(folder / "grace.zip", "a1.ipynb")
    zipped(folder / "empty.zip", "report.pdf")
    zipped(folder / "one.zip", "two.zip")
    put(folder, "eve.rar", "jo.tar.gz", "ada/old.zip")
    found, said = look(tmp_path, folder)
    assert found["ada"].path == folder / "ada" / "a1.ipynb"
    assert len(found) == 1
    assert [line.partition(";")[0] for line in said] == [
        "empty.zip holds neither a student's folder nor a notebook.",
        "Not graded, as neither a student's folder nor a platform's name "
        "says whose they are: grace.zip/a1.ipynb",
        "one.zip/two.zip cannot be read: File is not a zip file.",
        "one.zip holds neither a student's folder nor a notebook.",
        "Not opened: eve.rar, jo.tar.gz",
        "ada/old.zip cannot be read: File is not a zip file.",
    ]


def test_folders_that_begin_with_a_dot_are_named(tmp_path):
    """But not those that systems make."""
    folder = put(
        tmp_path / "all",
        *("ada/a1.ipynb", ".results/a1.ipynb", "..hidden/a1.ipynb", ".note"),
        *(".git/a1.ipynb", ".ipynb_checkpoints/a1.ipynb", ".DS_Store"),
        *("._ada/a1.ipynb", ".Trash-1000/a1.ipynb", ".vscode/a.json"),
    )
    zipped(folder / "more.zip", "bob/a1.ipynb", ".cyd/a1.ipynb", ".git/x")
    found, said = look(tmp_path, folder)
    assert sorted(found) == ["ada", "bob"]
    assert [line.partition(";")[0] for line in said] == [
        "more.zip: '.cyd/a1.ipynb' is in a folder whose name begins with a "
        "dot",
        "Left out, as the names begin with a dot: ..hidden, .results",
    ]
